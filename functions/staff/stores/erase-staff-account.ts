import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { rosterKey, staffKey } from '../../../lib/contract/staff-accounts.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import type { ExportReader } from '../../../lib/runtime/exporter.ts';
import { readAccount } from './staff-rows.ts';

/** Deletes the account and its place on the roster. The erasure itself deletes the pool's user. */
export const eraseStaffAccount: Eraser<'StaffAccounts'> = async ({ dynamo, tables: { StaffAccounts } }, { userId }) => {
  await dynamo.send(
    new TransactWriteCommand({
      TransactItems: [
        { Delete: { TableName: StaffAccounts, Key: staffKey(userId) } },
        {
          Update: {
            TableName: StaffAccounts,
            Key: rosterKey,
            UpdateExpression: 'DELETE admins :them',
            ExpressionAttributeValues: { ':them': new Set([userId]) },
          },
        },
      ],
    }),
  );
};

export const readOwnStaffAccount: ExportReader<'StaffAccounts'> = async ({ dynamo, tables }, { userId }) => {
  const account = await readAccount(dynamo, tables.StaffAccounts, userId);
  if (!account) return { rows: [], next: null };
  const { email, roles, status, createdAt, updatedAt } = account;
  return { rows: [{ userId, email, roles, status, createdAt, updatedAt }], next: null };
};
