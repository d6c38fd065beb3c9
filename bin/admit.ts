import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { deployments } from '../functions/product.ts';
import { admitByToken } from '../functions/staff/seed/by-token.ts';
import type { StaffAccounts } from '../lib/contract/staff-accounts.ts';
import type { StageOptions } from '../lib/local/index.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { handleOf } from '../lib/runtime/table-handle.ts';

const forStaff = Object.entries(deployments).flatMap(([name, { isForStaff }]) => (isForStaff ? [name] : []));

/** What a token of the local stage needs to count: of somebody of the staff, the row that has the roles. */
export const admit: NonNullable<StageOptions['admit']> = ({ endpoint, region, credentials, tables }) => {
  return async ({ application, userId, roles }) => {
    if (!forStaff.includes(application)) return;
    const client = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
    try {
      const accounts = handleOf<typeof StaffAccounts>(client, tables('StaffAccounts'));
      await admitByToken({ tables: { StaffAccounts: accounts } }, { userId, roles }, new Date());
    } finally {
      client.destroy();
    }
  };
};
