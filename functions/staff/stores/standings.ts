import {
  type StaffAccount,
  type StaffAccounts,
  type StaffStanding,
  staffKey,
} from '../../../lib/contract/staff-accounts.ts';
import { batchGet } from '../../../lib/runtime/batch-get.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';

/**
 * What these members of staff may do, read strongly consistently. A person without a row is left out, and may do nothing.
 *
 * @param userIds at most 100, each once
 */
export async function readStandings(
  table: Handle<typeof StaffAccounts, 'batchGet'>,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, StaffStanding>> {
  const keys = userIds.map(staffKey);
  const rows = keys.length === 0 ? [] : await batchGet<StaffAccount>(table, keys);
  return new Map(rows.map((row) => [row.userId, row]));
}
