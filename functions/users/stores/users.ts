import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifAsRead, ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { get, put, remove } from '../../../lib/runtime/rows.ts';
import {
  type Changes,
  comparableEmail,
  type EmailRow,
  type Erased,
  emailKey,
  isErased,
  storable,
  type User,
} from '../rules/profile.ts';
import type { Users } from '../tables.ts';

/**
 * Table `Users`. A user's row is under the `userId`. Under `email#…` stands whose an address is, in the same transaction:
 * a look-up then reads what is, where an index would lag behind; and the address itself is in no key, since CloudTrail
 * records keys. Of an erased user a row with `erasedAt` is left, so that a token that is still valid makes none again.
 */

/** Strongly consistent, as is every read here: what a user changed is there when it is read again. */
export async function readUser(table: Users<'get'>, userId: string): Promise<User | Erased | null> {
  return get<User | Erased>(table, { userId });
}

/** Of a user who exists and is not erased. */
export async function readProfile(table: Users<'get'>, userId: string): Promise<User | null> {
  const user = await readUser(table, userId);
  return user && !isErased(user) ? user : null;
}

/**
 * Of several users, those that are there and not erased.
 *
 * @param userIds at most 100 different ones
 */
export async function readProfiles(
  table: Users<'batchGet'>,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, User>> {
  const keys = userIds.map((userId) => ({ userId }));
  const rows = keys.length === 0 ? [] : await batchGet<User | Erased>(table, keys);
  return new Map(rows.flatMap((row) => (isErased(row) ? [] : [[row.userId, row] as const])));
}

/** @returns false where there is a row already: another request was first, or the user was erased */
export async function createUser(table: Users<'put'>, user: User): Promise<boolean> {
  const { application, email, userId } = user;
  return commit([
    put(table, user, ifAbsent('userId')),
    // Without a condition: the pool keeps addresses unique, so the newest user has the address.
    ...(email === null ? [] : [put(table, emailRow(application, email, userId))]),
  ]);
}

/** Makes the row of a user who signs up. If an earlier attempt has already made it, the row stays as it is. */
export async function addUser(table: Users<'get' | 'put'>, user: User): Promise<void> {
  await meetUser(table, user.userId, async () => user);
}

/**
 * Another address, which the user pool has already: the profile and the rows of both addresses in one transaction. Again after a
 * crash it changes nothing more.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function moveEmail(table: Users<'get' | 'put' | 'remove'>, userId: string, email: string): Promise<void> {
  await retryOnContention(async () => {
    const user = await readProfile(table, userId);
    // Who has no profile yet gets one with the pool's address.
    if (!user || user.email === email) return null;
    const { application, email: before } = user;
    const oldKey = typeof before === 'string' ? emailKey(application, before) : null;
    const isTheirs =
      oldKey !== null && oldKey !== emailKey(application, email) && (await ownerOf(table, oldKey)) === userId;
    const items = [
      put(table, { ...storable(user), email }, unchangedSince(user)),
      put(table, emailRow(application, email, userId)),
    ];
    const rest = isTheirs ? [remove(table, { userId: oldKey }, ifUnchanged({ owner: userId }))] : [];
    return (await commit([...items, ...rest])) ? null : contended;
  });
}

/** `known`: what was read of the user already, null for none; read here unless given. */
type Reading = { known?: User | Erased | null; pause?: RetryOptions['pause'] };

/**
 * The caller's row, which is made at the first sight of the caller.
 *
 * @param make asks the user pool who this is; called only for an unknown user
 * @returns null for an erased user; for one whose account is closed who it is, and nothing is written
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function meetUser(
  table: Users<'get' | 'put'>,
  userId: string,
  make: () => Promise<User>,
  { known, pause }: Reading = {},
): Promise<User | null> {
  let made: User | undefined;
  const attempt = async (number: number) => {
    const found = number === 0 && known !== undefined ? known : await readUser(table, userId);
    if (found) return isErased(found) ? null : found;
    made ??= await make();
    try {
      return (await createUser(table, made)) ? made : contended;
    } catch (error) {
      if (error instanceof Failure && error.error === AccountClosed) return made;
      throw error;
    }
  };
  return retryOnContention(attempt, pause && { pause });
}

/**
 * @returns null, and nothing changed, where there is no such user or an erased one
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function updateUser(
  table: Users<'get' | 'put'>,
  userId: string,
  changes: Changes,
  { known, pause }: Reading = {},
): Promise<User | null> {
  const attempt = async (number: number) => {
    const found = number === 0 && known !== undefined ? known : await readUser(table, userId);
    if (!found || isErased(found)) return null;
    if (Object.keys(changes).length === 0) return found;
    // The year of birth can be stated once.
    const before = storable(found);
    const { birthYear = changes.birthYear } = before;
    const after = { ...before, ...changes, ...(birthYear !== undefined && { birthYear }) };
    return (await replaceUser(table, found, after)) ? after : contended;
  };
  return retryOnContention(attempt, pause && { pause });
}

/** @returns false where another request changed it meanwhile, or it was erased */
async function replaceUser(table: Users<'put'>, before: User, after: User): Promise<boolean> {
  // In a transaction: only there a write is refused once the account is closed.
  return commit([put(table, after, unchangedSince(before))]);
}

/** A row that somebody planted may lack any of them. */
function unchangedSince({ userId, email, locale, timezone, birthYear }: User) {
  return ifAsRead({ userId, email, locale, timezone, birthYear });
}

/** The application's user with that address, in any case. */
export async function findByEmail(table: Users<'get'>, application: string, email: string): Promise<User | null> {
  const row = await get<EmailRow>(table, { userId: emailKey(application, email) });
  if (!row) return null;
  const user = await readUser(table, String(row.owner));
  // The row of an address may outlive what it says: the user's own row decides.
  if (!user || isErased(user) || user.application !== application || user.email === null) return null;
  return comparableEmail(user.email) === comparableEmail(email) ? user : null;
}

/** Whose an address is; undefined for nobody's. */
export async function ownerOf(table: Users<'get'>, key: string): Promise<unknown> {
  return (await get<EmailRow>(table, { userId: key }))?.owner;
}

function emailRow(application: string, email: string, owner: string) {
  return { userId: emailKey(application, email), owner };
}
