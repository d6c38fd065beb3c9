import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { UserDirectoryRow } from './rules/directory.ts';

/**
 * The users of the sleep-care app by their state and by when they were made. Under `user#<userId>` and `user` what is known of each;
 * under `all` and under `status#<status>`, by `<createdAt>#<userId>`, the lists. The rows of a user change in one transaction.
 */
export const UserDirectory = table<UserDirectoryRow>()('UserDirectory', {
  partitionKey: 'list',
  sortKey: 'entry',
  stream: true,
});
export type UserDirectory<A extends Action> = Handle<typeof UserDirectory, A>;
