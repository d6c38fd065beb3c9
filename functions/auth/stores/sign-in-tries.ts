import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { mostRevisions } from '../../../lib/contract/revision.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { keyedHashes, seal, unseal } from '../../../lib/runtime/hmac-and-encrypt.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { get, put } from '../../../lib/runtime/rows.ts';
import { mostCodes, mostFailures, next, type Tries, windowMs } from '../rules/lock.ts';
import type { Packed, Pending } from '../rules/session.ts';
import type { SignInTries } from '../tables.ts';

export type Tried = {
  readonly secret: KeyRing;
  readonly application: string;
  /** As it was sent: the count is the same for an account that does not exist. */
  readonly username: string;
  /** Null: from all addresses together. */
  readonly sourceIp: string | null;
};

/**
 * The rows of a pair, one for each known key: all count, and each of them locks. So a function that does not know the newest key, or the
 * oldest, finds in the row of a key that it knows all that was counted, and replacing a key resets no lock.
 */
function pairsOf({ secret, application, username, sourceIp }: Tried): string[] {
  return keyedHashes(
    secret,
    'sign-in tries',
    `${application}#${username.normalize('NFC').toLowerCase()}#${sourceIp ?? '*'}`,
  );
}

/** Sign-ins of one account from one address follow one another. */
const retries = 12;

export type Locked = { readonly outcome: 'locked'; readonly lockedUntil: string };

/** Outcomes of a sign-in and of a change of the password. */
const whole: readonly string[] = ['tokens', 'changed'];
const failed: readonly string[] = ['refused', 'wrong-code'];

type Taken = { readonly lockedUntil: string } | { readonly failures: number };

type Counted = Tried & { readonly table: SignInTries<'get' | 'put'> };

/**
 * One try of an account's password or second factor from an address. It counts as failed while it is under way. If `ask` throws,
 * nobody has compared the password or the code, and the try is given back. Only a success as a whole clears the count. After a right
 * password whose second factor is still to come, this try is given back, and the others stay: else whoever knows the password could
 * clear the count of wrong codes by it, and guess codes without end.
 */
export async function tryCounted<Said extends { readonly outcome: string }>(
  { table, ...tried }: Counted,
  ask: () => Promise<Said>,
): Promise<Said | Locked> {
  const taken = await takeSignInTry(table, tried, new Date());
  if ('lockedUntil' in taken) return { outcome: 'locked', lockedUntil: taken.lockedUntil };
  let said: Said;
  try {
    said = await ask();
  } catch (error) {
    await giveBackTry(table, tried).catch(() => undefined);
    throw error;
  }
  // A code works once: at the worst the count stays until its time is over.
  if (whole.includes(said.outcome)) await forgetTries(table, tried).catch(() => undefined);
  else if (!failed.includes(said.outcome)) await giveBackTry(table, tried);
  return said;
}

/**
 * One code of an account whose password was right: within the try of the account from the address. Whoever knows the password can send
 * codes from many addresses, so wrong ones also count for all of them together. Nothing else does: nobody without the password locks
 * others out.
 *
 * @param tell after a wrong code, with how many there were from all addresses
 */
export async function codeCounted<Said extends { readonly outcome: string }>(
  { table, ...tried }: Counted,
  ask: () => Promise<Said>,
  tell: (failures: number) => Promise<void>,
): Promise<Said | Locked> {
  const everywhere = { ...tried, sourceIp: null };
  const taken = await takeSignInTry(table, everywhere, new Date());
  if ('lockedUntil' in taken) return { outcome: 'locked', lockedUntil: taken.lockedUntil };
  let said: Said;
  try {
    said = await ask();
  } catch (error) {
    await giveBackTry(table, everywhere).catch(() => undefined);
    throw error;
  }
  if (said.outcome === 'wrong-code') await tell(taken.failures);
  else if (said.outcome === 'tokens') await forgetTries(table, everywhere).catch(() => undefined);
  else await giveBackTry(table, everywhere);
  return said;
}

/**
 * Counts a sign-in as failed before it is tried, so that of whatever is tried at once ten get through; `forgetTries` after a
 * success takes it back. The function declares `read`, `append` and `adjust` of the table, or `write`.
 *
 * @returns until when no more is tried; or how many failures there are with this one, which may be tried
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
async function takeSignInTry(table: SignInTries<'get' | 'put'>, tried: Tried, realNow: Date): Promise<Taken> {
  const pairs = pairsOf(tried);
  const most = tried.sourceIp === null ? mostCodes : mostFailures;
  return retryOnContention<Taken>(
    async () => {
      const before = await Promise.all(pairs.map((pair) => readTries(table, pair)));
      const taken = pairs.map((pair, at) => next(pair, before[at] ?? null, realNow.getTime(), most));
      const locks = taken.flatMap((each) => ('lockedUntil' in each ? [each.lockedUntil] : []));
      const [lockedUntil] = locks.toSorted().reverse();
      if (lockedUntil !== undefined) return { lockedUntil };
      const after = taken.flatMap((each) => ('tries' in each ? [each.tries] : []));
      const failures = Math.max(...after.map((each) => each.failures));
      return (await putTries(table, after)) ? { failures } : contended;
    },
    { retries },
  );
}

/** After a try that was no failure. */
async function giveBackTry(table: SignInTries<'get' | 'put'>, tried: Tried): Promise<void> {
  await change(table, pairsOf(tried), ({ failures }) => Math.max(0, failures - 1));
}

/** After a success: the account's owner is at this address. */
export async function forgetTries(table: SignInTries<'get' | 'put'>, tried: Tried): Promise<void> {
  await change(table, pairsOf(tried), () => 0);
}

const sealUse = 'beginning of a sign-in';

/**
 * For a sign-in whose second factor is still to come: when it began, and the tries under its name. It opens only with this session of
 * Cognito's, which is of one user.
 */
export function sealedBeginning(tried: Tried, { session }: Pending, begun: Date): string {
  return seal(tried.secret, sealUse, [begun.toISOString(), ...pairsOf(tried)].join(), session);
}

type Beginning = { readonly begun: Date; readonly pairs: readonly string[] };

/** @returns null where it was altered or is of another session, or its key is not the first one: whoever has a leaked old key could seal another one */
function openBeginning(secret: KeyRing, { session, beginning }: Packed): Beginning | null {
  if (beginning === undefined) return null;
  try {
    const [begun = '', ...pairs] = unseal([secret[0]], sealUse, beginning, session).split(',');
    return { begun: new Date(begun), pairs };
  } catch {
    return null;
  }
}

/** So long Cognito takes a code after the password (`AuthSessionValidity`, by default). */
const sessionMs = 180_000;

/** When the sign-in began whose second factor comes now: with its password. Where nobody can say it, as early as it can be. */
export function begunAt(secret: KeyRing, pending: Packed | null, now: Date): Date {
  return (pending && openBeginning(secret, pending)?.begun) ?? new Date(now.getTime() - sessionMs);
}

/**
 * After a second factor that was right: the tries under the name with which the sign-in began. Codes count under the account's id.
 * It never fails, since a right code works once: at the worst the count stays until its time is over.
 */
export async function forgetSealedTries(
  { table, secret }: Pick<Counted, 'table' | 'secret'>,
  pending: Packed,
): Promise<void> {
  const pairs = openBeginning(secret, pending)?.pairs ?? [];
  // The row cannot be written: nothing is cleared.
  await change(table, pairs, () => 0).catch(() => undefined);
}

async function change(
  table: SignInTries<'get' | 'put'>,
  pairs: readonly string[],
  failuresOf: (tries: Tries) => number,
): Promise<void> {
  await retryOnContention(
    async () => {
      const before = await Promise.all(pairs.map((pair) => readTries(table, pair)));
      const counting = before.flatMap((row) => (row && row.failures > 0 ? [row] : []));
      if (counting.length === 0) return null;
      const after = counting.map((row) => ({ ...row, failures: failuresOf(row), revision: row.revision + 1 }));
      return (await putTries(table, after)) ? null : contended;
    },
    { retries },
  );
}

const counts = ['failures', 'since', 'last', 'revision'] as const;
const namesOfCounts = Object.fromEntries(counts.map((name) => [`#${name}`, name]));
const bounds = { ':least': 1, ':none': 0, ':most': mostRevisions };
const isNone = [
  'attribute_not_exists(pair)',
  ...counts.map((name) => `NOT (#${name} BETWEEN ${name === 'revision' ? ':least' : ':none'} AND :most)`),
].join(' OR ');

/** Not what nobody can count on: else one row that somebody planted would lock an account for ever. @returns null for what is `isNone` */
function countingIn(row: Tries): Tries | null {
  // Of a number with more digits than a Number has, the client gives the text.
  const whole = counts.map((name) => [name, Math.round(Number(row[name]))] as const);
  const isCounting = whole.every(([name, count]) => count >= (name === 'revision' ? 1 : 0) && count <= mostRevisions);
  return isCounting ? { ...row, ...Object.fromEntries(whole) } : null;
}

/** Strongly consistent; null before the first. */
async function readTries(table: SignInTries<'get'>, pair: string): Promise<Tries | null> {
  const row = await get(table, { pair });
  return row && countingIn(row);
}

/** @returns false where another sign-in was first */
async function putTries(table: SignInTries<'put'>, rows: readonly Tries[]): Promise<boolean> {
  const items = rows.map((tries) => {
    const before = tries.revision - 1;
    const unmoved =
      before > 0
        ? ifRevision('pair', before)
        : { ConditionExpression: isNone, ExpressionAttributeNames: namesOfCounts, ExpressionAttributeValues: bounds };
    const Item = { ...tries, expiresAt: Math.ceil((tries.last + windowMs) / 1000) };
    return put(table, Item, unmoved);
  });
  // In a transaction: only there a write is refused once the account is closed.
  return commit(items);
}
