import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { deployments } from '../functions/product.ts';
import { admitByToken } from '../functions/staff/seed/by-token.ts';
import type { StageOptions } from '../lib/local/index.ts';

const forStaff = Object.entries(deployments).flatMap(([name, { isForStaff }]) => (isForStaff ? [name] : []));

/** What a token of the local stage needs to count: of somebody of the staff, the row that has the roles. */
export const admit: NonNullable<StageOptions['admit']> = ({ endpoint, region, credentials, tables }) => {
  return async ({ application, userId, roles }) => {
    if (!forStaff.includes(application)) return;
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
    try {
      const place = { client, tables: { StaffAccounts: tables('StaffAccounts') } };
      await admitByToken(place, { userId, roles }, new Date());
    } finally {
      client.destroy();
    }
  };
};
