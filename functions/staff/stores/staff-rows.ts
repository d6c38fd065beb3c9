import {
  type Roster,
  rosterKey,
  type StaffAccount,
  type StaffAccounts,
  staffKey,
} from '../../../lib/contract/staff-accounts.ts';
import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { all, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, update } from '../../../lib/runtime/rows.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { type Staff, type StaffProfile, staffProfile } from '../../access/data-subject.ts';
import { isAdmin } from '../rules/staff.ts';

/** Table `StaffAccounts`. Every read is strongly consistent. */

export async function readAccount(
  table: Handle<typeof StaffAccounts, 'get'>,
  userId: string,
): Promise<StaffAccount | null> {
  return get<StaffAccount>(table, staffKey(userId));
}

/** The ids of the active administrators. */
export async function readAdmins(table: Handle<typeof StaffAccounts, 'get'>): Promise<ReadonlySet<string>> {
  return (await get<Roster>(table, rosterKey))?.admins ?? new Set();
}

/** In the order of their ids, each with the name that patients see; null if no name is set. */
export async function readStaffPage(
  tables: {
    readonly StaffAccounts: Handle<typeof StaffAccounts, 'query'>;
    readonly Staff: Staff<'batchGet'>;
  },
  { limit, after }: { limit: number; after: string | null },
): Promise<{ staff: (StaffAccount & { name: string | null })[]; next: string | null }> {
  const query = inPartition({ kind: staffKey('').kind }, { userId: all }, after);
  const { rows, next } = await queryPage<StaffAccount>(tables.StaffAccounts, query, limit);
  const keys = rows.map(({ userId }) => ({ userId, part: staffProfile }));
  const profiles = keys.length === 0 ? [] : await batchGet<StaffProfile>(tables.Staff, keys);
  const names = new Map(profiles.map(({ userId, name }) => [userId, name]));
  return {
    staff: rows.map((row) => ({ ...row, name: names.get(row.userId) ?? null })),
    next,
  };
}

/** The item of a transaction that puts the account, on the condition that the row is still as it was read. */
export function putAccount(table: Handle<typeof StaffAccounts, 'put'>, account: StaffAccount) {
  return put(table, { ...staffKey(account.userId), ...account }, ifRevision('kind', account.revision - 1));
}

/** The item of a transaction that notes the end of the sessions. A later change of the row ends them itself. */
export function sessionsHaveEnded(table: Handle<typeof StaffAccounts, 'update'>, { userId, revision }: StaffAccount) {
  return update(table, staffKey(userId), {
    UpdateExpression: 'REMOVE isEnding',
    ...ifRevision('kind', revision),
  });
}

/**
 * The item of a transaction that adds somebody to the roster or removes them, depending on the account. Its condition is that `by`
 * is on the roster. Administrators cannot change their own account, so one administrator always stays, also in a race.
 *
 * @param by the administrator; null if an operator, or an accepted invitation, is the reason for the change
 */
export function onRoster(table: Handle<typeof StaffAccounts, 'update'>, account: StaffAccount, by: string | null) {
  return update(table, rosterKey, {
    UpdateExpression: `${isAdmin(account) ? 'ADD' : 'DELETE'} admins :them`,
    ...(by !== null && { ConditionExpression: 'contains(admins, :by)' }),
    ExpressionAttributeValues: { ':them': new Set([account.userId]), ...(by !== null && { ':by': by }) },
  });
}
