import {
  believed,
  type EndedSessions,
  type Endings,
  endedSession,
  endingKeptSeconds,
  endingsKeptSeconds,
  isOver,
  mostEndedSessions,
} from '../../../lib/contract/ended-sessions.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { get, type TransactItem, update } from '../../../lib/runtime/rows.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';

/** Table `EndedSessions`: what every signed-in request reads of its caller (decision 59). Real time. */

type Session = { readonly userId: string; readonly sessionId: string };

const attributes = { '#sessions': 'sessions' };
const believable = ['notBefore', 'underWayUntil', 'sessions'] as const;

/** The part of a transaction that ends a session. It is refused where the row names as many as it may. */
export function naming(
  table: Handle<typeof EndedSessions, 'update'>,
  { userId, sessionId }: Session,
  now: Date,
): TransactItem {
  const at = secondsOf(now);
  return update(
    table,
    { userId },
    {
      UpdateExpression: 'ADD #sessions :session SET expiresAt = :expiry',
      ConditionExpression:
        'attribute_not_exists(#sessions) OR (attribute_type(#sessions, :names) AND size(#sessions) < :most)',
      ExpressionAttributeNames: attributes,
      ExpressionAttributeValues: {
        ':session': new Set([endedSession(sessionId, at + endingKeptSeconds)]),
        ':expiry': at + endingsKeptSeconds,
        ':most': mostEndedSessions,
        ':names': 'SS',
      },
    },
  );
}

/** Where the row is full: takes out the sessions whose tokens are over. Where none are, all sign-ins until now end. And takes out what nobody believes. */
export async function makeRoom(
  table: Handle<typeof EndedSessions, 'get' | 'update'>,
  userId: string,
  now: Date,
): Promise<void> {
  const written = await readAsWritten(table, userId);
  const known = believed(written, now);
  const { sessions } = known;
  if (believable.some((name) => written[name] !== known[name])) return endSignInsUnderWay(table, userId, now);
  if (!sessions || sessions.size < mostEndedSessions) return;
  const at = secondsOf(now);
  const over = [...sessions].filter((session) => isOver(session, at));
  const change =
    over.length > 0
      ? { UpdateExpression: 'DELETE #sessions :over', more: { ':over': new Set(over) } }
      : {
          UpdateExpression: 'SET notBefore = :now, expiresAt = :until REMOVE #sessions',
          // An end of all sessions by a clock that is ahead stays.
          more: { ':now': Math.max(at, known.notBefore ?? 0), ':until': at + endingsKeptSeconds },
        };
  const changed = update(
    table,
    { userId },
    {
      UpdateExpression: change.UpdateExpression,
      ConditionExpression: `${isAsRead(written, known, 'notBefore')} AND #sessions = :were`,
      ExpressionAttributeNames: attributes,
      ExpressionAttributeValues: {
        ...(known.notBefore !== undefined && { ':notBeforeRead': known.notBefore }),
        ':were': sessions,
        ...change.more,
      },
    },
  );
  // Where another writer was first, the caller finds out by its own write.
  await commit([changed]);
}

/** The pool dates a sign-in by its own clock: one that comes after the ending must not seem to come before it. */
const leewaySeconds = 10;

/**
 * Ends the sign-ins until now, also those that are in no list, and those that are under way. Sign-ins of the last ten seconds end only by
 * their names.
 */
export function endSignIns(
  table: Handle<typeof EndedSessions, 'get' | 'update'>,
  userId: string,
  now: Date,
): Promise<void> {
  return markEndings(table, userId, { now, notBefore: secondsOf(now) - leewaySeconds });
}

/** A sign-in that is under way gets no tokens: the password that it was tried with is no longer the right one. */
export function endSignInsUnderWay(
  table: Handle<typeof EndedSessions, 'get' | 'update'>,
  userId: string,
  now: Date,
): Promise<void> {
  return markEndings(table, userId, { now, notBefore: null });
}

async function markEndings(
  table: Handle<typeof EndedSessions, 'get' | 'update'>,
  userId: string,
  { now, notBefore }: { readonly now: Date; readonly notBefore: number | null },
): Promise<void> {
  return retryOnContention(async () => {
    const before = await readAsWritten(table, userId);
    const known = believed(before, now);
    const written = before.notBefore === undefined ? [] : [known.notBefore ?? 0];
    // What no honest function writes may fill the row: the other names stay, or where they are too many, all until now end.
    const isStrange = before.sessions !== known.sessions;
    const named = isStrange ? (known.sessions?.size ?? 0) : 0;
    const isKept = named > 0 && named <= mostEndedSessions;
    const all = named > mostEndedSessions ? secondsOf(now) : notBefore;
    const times = [...written, ...(all === null ? [] : [all])];
    const latest = times.length > 0 ? Math.max(...times) : null;
    const underWayUntil = Math.max(known.underWayUntil ?? 0, now.getTime());
    const strangeAsRead = isStrange ? ' AND (#sessions = :were OR NOT attribute_type(#sessions, :names))' : '';
    const marked = update(
      table,
      { userId },
      {
        UpdateExpression: `SET underWayUntil = :until, expiresAt = :expiry${latest === null ? '' : ', notBefore = :notBefore'}${
          isKept ? ', #sessions = :kept' : isStrange ? ' REMOVE #sessions' : ''
        }`,
        // Another end of all meanwhile may be the later one.
        ConditionExpression: `${isAsRead(before, known, 'notBefore')} AND ${isAsRead(before, known, 'underWayUntil')}${strangeAsRead}`,
        ...(isStrange && { ExpressionAttributeNames: attributes }),
        ExpressionAttributeValues: {
          ':until': underWayUntil,
          ':expiry': secondsOf(now) + endingsKeptSeconds,
          ...(isStrange && { ':were': before.sessions, ':names': 'SS' }),
          ...(isKept && { ':kept': known.sessions }),
          ...(latest !== null && { ':notBefore': latest }),
          ...(known.notBefore !== undefined && { ':notBeforeRead': known.notBefore }),
          ...(known.underWayUntil !== undefined && { ':underWayUntilRead': known.underWayUntil }),
        },
      },
    );
    return (await commit([marked])) ? undefined : contended;
  });
}

/** The condition that the time is as it was read, as `:<name>Read`. What nobody believes need not be: DynamoDB may hold more than a number here can say. */
function isAsRead(read: Endings, known: Endings, name: 'notBefore' | 'underWayUntil'): string {
  if (read[name] === undefined) return `attribute_not_exists(${name})`;
  return known[name] === undefined ? `attribute_exists(${name})` : `${name} = :${name}Read`;
}

/** Strongly consistent; as far as it is believed. */
export async function readEndings(table: Handle<typeof EndedSessions, 'get'>, userId: string): Promise<Endings> {
  return believed(await readAsWritten(table, userId), new Date());
}

async function readAsWritten(table: Handle<typeof EndedSessions, 'get'>, userId: string): Promise<Endings> {
  return (await get(table, { userId })) ?? {};
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
