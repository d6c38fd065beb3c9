import { rosterKey, type StaffAccounts, staffKey } from '../../../lib/contract/staff-accounts.ts';
import { commit, counting } from '../../../lib/runtime/commit.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import type { ExportReader } from '../../../lib/runtime/exporter.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { remove, update } from '../../../lib/runtime/rows.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { readAccount } from './staff-rows.ts';

/** Deletes the account and its place on the roster, but for one that is no set. The erasure itself deletes the pool's user. */
export const eraseStaffAccount: Eraser<{
  readonly StaffAccounts: Handle<typeof StaffAccounts, 'update' | 'remove'>;
}> = async ({ tables: { StaffAccounts } }, { userId }) => {
  const offRoster = update(StaffAccounts, rosterKey, {
    UpdateExpression: 'DELETE admins :them',
    ExpressionAttributeValues: { ':them': new Set([userId]) },
  });
  const items = [remove(StaffAccounts, staffKey(userId)), counting(offRoster)];
  await retryOnContention(async () => (await commit(items)) || contended);
};

export const readOwnStaffAccount: ExportReader<{
  readonly StaffAccounts: Handle<typeof StaffAccounts, 'get'>;
}> = async ({ tables }, { userId }) => {
  const account = await readAccount(tables.StaffAccounts, userId);
  if (!account) return { rows: [], next: null };
  const { email, roles, status, createdAt, updatedAt } = account;
  return { rows: [{ userId, email, roles, status, createdAt, updatedAt }], next: null };
};
