import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { DirectoryRow } from './rules/directory.ts';

/**
 * The staff directory. Under the `userId` what is said of a member of staff; under `~names` the same by the folded name, so that a
 * search is one Query. Both change in one transaction.
 */
export const StaffDirectory = table<DirectoryRow>()('StaffDirectory', { partitionKey: 'part', sortKey: 'place' });
export type StaffDirectory<A extends Action> = Handle<typeof StaffDirectory, A>;
