import { commit } from '../../../lib/runtime/commit.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { UserDirectory } from '../tables.ts';
import { deleteUncounted, readEntry, removeEntry } from './directory-rows.ts';

/** The user's rows, in all lists. */
export const eraseEntry: Eraser<{
  readonly UserDirectory: UserDirectory<'get' | 'remove'>;
}> = async ({ tables: { UserDirectory } }, { userId }) => {
  await retryOnContention(async () => {
    const before = await readEntry(UserDirectory, userId);
    const items = before ? removeEntry(UserDirectory, before) : [deleteUncounted(UserDirectory, userId)];
    return (await commit(items)) || contended;
  });
};
