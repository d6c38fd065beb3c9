import { commit } from '../../../lib/runtime/commit.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { readProfile } from '../../users/exports.ts';
import type { Users } from '../../users/tables.ts';
import type { Entry } from '../rules/directory.ts';
import { moveEntry, readEntry, removeEntry } from '../stores/directory-rows.ts';
import type { UserDirectory } from '../tables.ts';

export type Directory = {
  readonly tables: {
    readonly Users: Users<'get'>;
    readonly UserDirectory: UserDirectory<'get' | 'put' | 'remove'>;
  };
};

/**
 * The user's rows as the profile has it: made where there is one of the app's, removed where it was erased. What was heard is only a
 * reason to look, so it can come twice, late and in any order: the entry is read first, and then the profile; a later change of it
 * brings a later look.
 *
 * @returns null where there is no such user
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function listUser(
  { tables }: Directory,
  userId: string,
  options: RetryOptions = { retries: 10 },
): Promise<Entry | null> {
  return retryOnContention<Entry | null>(async () => {
    const before = await readEntry(tables.UserDirectory, userId);
    const user = await readProfile(tables.Users, userId);
    const isHere = user?.application === 'sleepcare';
    if (before && !isHere) return (await commit(removeEntry(tables.UserDirectory, before))) ? null : contended;
    if (before || !isHere) return before;
    const after: Entry = { userId, createdAt: user.createdAt, status: 'active', revision: 1 };
    return (await commit(moveEntry(tables.UserDirectory, null, after))) ? after : contended;
  }, options);
}
