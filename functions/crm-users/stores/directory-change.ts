import type { Items } from '../../../lib/runtime/commit.ts';
import { changedEntry, type EntryChanges } from '../rules/directory.ts';
import type { StaffDirectory } from '../tables.ts';
import { putEntry, readEntry } from './directory-rows.ts';

/**
 * For domains that administer roles and accounts of staff: the items that update the directory's entry, for the transaction of the
 * change. Their condition is that the entry is unchanged since it was read here. Empty if the entry is already up to date.
 */
export async function directoryChange(
  table: StaffDirectory<'get' | 'put' | 'remove'>,
  userId: string,
  changes: Pick<EntryChanges, 'name' | 'roles' | 'status'>,
): Promise<Items> {
  const before = await readEntry(table, userId);
  return putEntry(table, changedEntry(before, changes), before);
}
