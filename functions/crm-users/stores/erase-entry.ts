import { commit } from '../../../lib/runtime/commit.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { StaffDirectory } from '../tables.ts';
import { deleteEntry, readEntry } from './directory-rows.ts';

/** Both rows. An entry that an administrator changes meanwhile is read again. */
export const eraseDirectoryEntry: Eraser<{
  readonly StaffDirectory: StaffDirectory<'get' | 'remove'>;
}> = async ({ tables }, { userId }) => {
  await retryOnContention(async () => {
    const items = deleteEntry(tables.StaffDirectory, await readEntry(tables.StaffDirectory, userId));
    return (await commit(items)) || contended;
  });
};
