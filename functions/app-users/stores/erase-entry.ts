import { commit } from '../../../lib/runtime/commit.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { deleteUncounted, moveEntry, readEntry } from './directory-rows.ts';

/** The user's rows, in all lists. */
export const eraseEntry: Eraser<'UserDirectory'> = async ({ tables: { UserDirectory } }, { userId }) => {
  await retryOnContention(async () => {
    const before = await readEntry(UserDirectory, userId);
    const items = before ? moveEntry(UserDirectory, before, null) : [deleteUncounted(UserDirectory, userId)];
    return (await commit(items)) || contended;
  });
};
