import { randomUUID } from 'node:crypto';
import { type EndedSessions, endingKeptSeconds } from '../../../lib/contract/ended-sessions.ts';
import { isTime } from '../../../lib/contract/instant.ts';
import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import type { SessionLifetime } from '../../../lib/contract/product.ts';
import { commit, succeedsUnlessConflict } from '../../../lib/runtime/commit.ts';
import { isRefusedAt } from '../../../lib/runtime/failure.ts';
import { seal, sealWith, UnknownKey, unseal, unsealWith } from '../../../lib/runtime/hmac-and-encrypt.ts';
import { inPartition, only } from '../../../lib/runtime/key-range.ts';
import { queryAll, TooManyRows } from '../../../lib/runtime/query-all.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { get, update, updateRow } from '../../../lib/runtime/rows.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { expiryOf, isPastLongest } from '../rules/lifetime.ts';
import type { Predecessor } from '../rules/renewal.ts';
import type { Ending, SessionRow } from '../rules/session-row.ts';
import type { TokenSession } from '../rules/token-session.ts';
import type { Sessions } from '../tables.ts';
import { addEndedSession, endSignIns, makeRoom } from './ended-sessions.ts';

/** Table `Sessions`. */

type Key = Pick<SessionRow, 'userId' | 'sessionId'>;

const use = 'refresh token';

function sealContextOf({ userId, sessionId }: Key): string {
  return `${userId}#${sessionId}`;
}

/**
 * @returns null where its key of `SignInKey` is gone: the session renews no more
 * @throws an Error for another session's
 */
export function poolTokenOf(secret: KeyRing, row: Key & Pick<SessionRow, 'sealedToken'>): string | null {
  try {
    return unseal(secret, use, row.sealedToken, sealContextOf(row));
  } catch (error) {
    if (error instanceof UnknownKey) return null;
    throw error;
  }
}

/** Sealed by the token that is replaced: neither the table nor `SignInKey` opens it. */
export function sealSuccessor(replaced: string, key: Key, successor: string): string {
  return sealWith(replaced, 'successor', successor, sealContextOf(key));
}

export function successorIn(replaced: string, key: Key, sealed: string): string {
  return unsealWith(replaced, 'successor', sealed, sealContextOf(key));
}

type Beginning = {
  readonly secret: KeyRing;
  /** Cognito's. */
  readonly poolToken: string;
  /** Of the app's first refresh token. */
  readonly tokenHash: string;
  readonly lifetime: SessionLifetime;
  readonly now: Date;
  readonly appVersion: string | null;
  readonly device: string | null;
};

/** @returns false where it was ended already */
export async function beginSession(
  table: Sessions<'updateRow'>,
  of: TokenSession,
  { secret, poolToken, tokenHash, lifetime, now, appVersion, device }: Beginning,
): Promise<boolean> {
  const { userId, sessionId, signedInAt } = of;
  const row = {
    createdAt: signedInAt,
    renewedAt: now.toISOString(),
    sealedToken: seal(secret, use, poolToken, sealContextOf(of)),
    tokenHash,
    appVersion,
    device,
    expiresAt: expiryOf(signedInAt, lifetime),
  };
  return succeedsUnlessConflict(changing(table, { userId, sessionId }, row, 'attribute_not_exists(endedAt)'));
}

type Renewal = {
  readonly now: Date;
  /** Undefined: as it was. */
  readonly appVersion?: string | undefined;
  /** Absent where the token stays. */
  readonly replaced?: { readonly tokenHash: string; readonly predecessors: readonly Predecessor[] };
};

/** @returns false where the session was ended, or its token was replaced, since the row was read */
export async function renewSession(
  table: Sessions<'updateRow'>,
  { userId, sessionId, tokenHash }: SessionRow,
  { now, appVersion, replaced }: Renewal,
): Promise<boolean> {
  const changes = { renewedAt: now.toISOString(), ...(appVersion !== undefined && { appVersion }), ...replaced };
  const condition = 'attribute_exists(sessionId) AND attribute_not_exists(endedAt) AND tokenHash = :read';
  return succeedsUnlessConflict(changing(table, { userId, sessionId }, changes, condition, { ':read': tokenHash }));
}

function changing(
  table: Sessions<'updateRow'>,
  key: Key,
  changes: Readonly<Record<string, unknown>>,
  ConditionExpression: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const names = Object.keys(changes);
  return updateRow(table, key, {
    UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(', ')}`,
    ConditionExpression,
    ExpressionAttributeValues: { ...Object.fromEntries(names.map((name) => [`:${name}`, changes[name]])), ...values },
  });
}

/** Strongly consistent. */
export async function readSession(table: Sessions<'get'>, { userId, sessionId }: Key): Promise<SessionRow | null> {
  return get(table, { userId, sessionId });
}

/** Of a session's row. What else it has others may fill. */
const listedNames = [
  'userId',
  'sessionId',
  'createdAt',
  'renewedAt',
  'appVersion',
  'device',
  'sealedToken',
  'endedAt',
  'expiresAt',
] as const;
export type ListedSession = Pick<SessionRow, (typeof listedNames)[number]>;

/**
 * Sessions that have not ended and are within their longest time, also those that are idle too long; a user has few. Strongly consistent,
 * by id.
 */
export async function liveSessions(table: Sessions<'query'>, userId: string, now: Date): Promise<ListedSession[]> {
  return (await renewable(table, userId, now)).filter(({ endedAt }) => endedAt === undefined);
}

/**
 * Those that the pool could still renew: also those that are marked as ended. A crash may have come between the mark and the pool, and
 * whoever may mark a session can do so without the pool.
 *
 * @returns null where others have filled the partition: then only the pool knows them
 */
export async function sessionsToEnd(
  table: Sessions<'query'>,
  userId: string,
  now: Date,
): Promise<ListedSession[] | null> {
  return renewable(table, userId, now).catch((error: unknown) => {
    if (error instanceof TooManyRows) return null;
    throw error;
  });
}

async function renewable(table: Sessions<'query'>, userId: string, now: Date): Promise<ListedSession[]> {
  const rows = await queryAll<ListedSession>(table, {
    ...only(inPartition({ userId }), listedNames),
    // Whoever may only mark a session can also make a row: that is none.
    FilterExpression: 'attribute_exists(sealedToken)',
  });
  return rows.filter((row) => isSession(row) && !isPastLongest(row, now));
}

function isSession({ sealedToken, createdAt, expiresAt }: Partial<SessionRow>): boolean {
  return typeof sealedToken === 'string' && typeof createdAt === 'string' && typeof expiresAt === 'number';
}

/** A session's row, and the row that every signed-in request reads. */
export type EndingTables = {
  readonly Sessions: Sessions<'get' | 'query' | 'update'>;
  readonly EndedSessions: Handle<typeof EndedSessions, 'get' | 'update'>;
};

/**
 * From then on no renewal hands anything out, and no access token of it is valid.
 *
 * @returns the row as it was; null where there is none
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function markEnded(
  tables: EndingTables,
  { userId, sessionId }: Key,
  { now, by }: { readonly now: Date; readonly by: Ending },
): Promise<SessionRow | null> {
  const key = { userId, sessionId };
  return retryOnContention(async (attempt) => {
    if (attempt > 0) await makeRoom(tables.EndedSessions, userId, now);
    const row = await readSession(tables.Sessions, key);
    // A person's sign-out also counts for a session that is over: after it the token proves nothing at a sign-in.
    if (!row || (row.endedAt !== undefined && !(row.endedBy === 'expired' && by === 'asked'))) return row;
    // What is no time need not be the same: others may write it, and an end must not wait for it.
    const isSame = isTime(row.renewedAt) ? ' AND renewedAt = :renewedAt' : '';
    const marked = update(tables.Sessions, key, {
      UpdateExpression: `SET endedAt = :now, endedBy = :by${isSame === '' ? ', renewedAt = :now' : ''}`,
      ConditionExpression: `attribute_exists(sessionId) AND (attribute_not_exists(endedAt) OR endedBy = :expired)${isSame}`,
      ExpressionAttributeValues: {
        ':now': row.endedAt ?? now.toISOString(),
        ':by': by,
        ...(isSame !== '' && { ':renewedAt': row.renewedAt }),
        ':expired': 'expired' satisfies Ending,
      },
    });
    // Of a session that was not renewed for longer, no access token is valid.
    const mayHaveTokens = !(Date.parse(row.renewedAt) <= now.getTime() - endingKeptSeconds * 1000);
    const named = mayHaveTokens ? [addEndedSession(tables.EndedSessions, key, now)] : [];
    // In a transaction: only there a write is refused once the account is closed.
    const committed = commit([marked, ...named]).catch((error: unknown) => {
      if (isRefusedAt(error, 1, 'ValidationError')) return false;
      throw error;
    });
    return (await committed) ? row : contended;
  });
}

/**
 * Takes what a token proves at a sign-in: only once, and only of a session that nobody ended.
 *
 * @returns false where it proves nothing
 */
export async function takeProof(table: Sessions<'updateRow'>, { userId, sessionId }: Key): Promise<boolean> {
  // The SDK sends a write again after a lost answer: what it wrote itself the first time is no other sign-in.
  const isFree = '(attribute_not_exists(presentedBy) OR presentedBy = :presentedBy)';
  const condition = `attribute_exists(sessionId) AND ${isFree} AND (attribute_not_exists(endedAt) OR endedBy = :expired)`;
  const values = { ':expired': 'expired' satisfies Ending };
  return succeedsUnlessConflict(
    changing(table, { userId, sessionId }, { presentedBy: randomUUID() }, condition, values),
  );
}

/** The mail about a reused token is in the queue. */
export async function markNoticed(table: Sessions<'updateRow'>, { userId, sessionId }: Key, now: Date): Promise<void> {
  await succeedsUnlessConflict(
    changing(table, { userId, sessionId }, { noticedAt: now.toISOString() }, 'attribute_exists(sessionId)'),
  );
}

/** @returns those that lived, as they were; null where others have filled the partition: they end without their names */
export async function endAllSessions(
  tables: EndingTables,
  userId: string,
  now: Date,
  by: Ending = 'asked',
): Promise<readonly ListedSession[] | null> {
  await endSignIns(tables.EndedSessions, userId, now);
  const found = await sessionsToEnd(tables.Sessions, userId, now);
  if (!found) return null;
  const live = found.filter(({ endedAt }) => endedAt === undefined);
  for (const { sessionId } of live) await markEnded(tables, { userId, sessionId }, { now, by });
  return live;
}

/** The pool dates a sign-in, by its own clock and in whole seconds. */
const skewMs = 60_000;

/**
 * Ends all sessions in the user pool, and then in the list: after a crash in between the list shows sessions that cannot renew, which
 * is safe. A sign-in between the two gets a token that still renews, while its row is marked. The pool then ends all once more.
 *
 * @param signOut ends all sessions in the user pool
 */
export async function endInPoolAndList(
  tables: EndingTables,
  userId: string,
  signOut: () => Promise<void>,
  by: Ending = 'asked',
): Promise<void> {
  const since = new Date(Date.now() - skewMs).toISOString();
  await signOut();
  const ended = await endAllSessions(tables, userId, new Date(), by);
  if (!ended || ended.some(({ createdAt }) => createdAt >= since)) await signOut();
}
