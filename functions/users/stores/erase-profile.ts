import { transact } from '../../../lib/runtime/commit.ts';
import { ifUnchanged } from '../../../lib/runtime/conditions.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { put, remove } from '../../../lib/runtime/rows.ts';
import { emailKey, isErased } from '../rules/profile.ts';
import type { Users } from '../tables.ts';
import { ownerOf, readUser } from './users.ts';

/** The profile becomes a tombstone, also where there was none; the row of the address goes with it. */
export const eraseProfile: Eraser<{ readonly Users: Users<'get' | 'put' | 'remove'> }> = async (
  { tables: { Users } },
  { userId, erasedAt },
) => {
  const user = await readUser(Users, userId);
  if (user && isErased(user)) return;
  const key = user?.email ? emailKey(user.application, user.email) : null;
  // The address may be another user's meanwhile.
  const owned = key !== null && (await ownerOf(Users, key)) === userId ? key : null;
  await transact([
    put(Users, { userId, erasedAt }),
    ...(owned === null ? [] : [remove(Users, { userId: owned }, ifUnchanged({ owner: userId }))]),
  ]);
};
