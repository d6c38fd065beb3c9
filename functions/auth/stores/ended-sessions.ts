import {
  type EndedSessions,
  type Endings,
  endedSession,
  endingKeptSeconds,
  endingsKeptSeconds,
  isOver,
  mostEndedSessions,
  validEndings,
} from '../../../lib/contract/ended-sessions.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { get, type TransactItem, update } from '../../../lib/runtime/rows.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';

/** Table `EndedSessions`: what every signed-in request reads of its caller (decision 59). Real time. */

type Session = { readonly userId: string; readonly sessionId: string };

const attributes = { '#sessions': 'sessions' };
const validatedAttributes = ['notBefore', 'underWayUntil', 'sessions'] as const;

/** The item of a transaction that adds a session to those that were ended. It is refused where the row has as many as it may. */
export function addEndedSession(
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

/** Where the row is full: takes out the sessions whose tokens have expired. Where none has, all sign-ins until now end. It also takes out invalid values. */
export async function makeRoom(
  table: Handle<typeof EndedSessions, 'get' | 'update'>,
  userId: string,
  now: Date,
): Promise<void> {
  const stored = await readStored(table, userId);
  const valid = validEndings(stored, now);
  const { sessions } = valid;
  if (validatedAttributes.some((name) => stored[name] !== valid[name])) return endSignInsUnderWay(table, userId, now);
  if (!sessions || sessions.size < mostEndedSessions) return;
  const at = secondsOf(now);
  const over = [...sessions].filter((session) => isOver(session, at));
  const change =
    over.length > 0
      ? { UpdateExpression: 'DELETE #sessions :over', more: { ':over': new Set(over) } }
      : {
          UpdateExpression: 'SET notBefore = :now, expiresAt = :until REMOVE #sessions',
          // An end of all sessions by a clock that is ahead stays.
          more: { ':now': Math.max(at, valid.notBefore ?? 0), ':until': at + endingsKeptSeconds },
        };
  const changed = update(
    table,
    { userId },
    {
      UpdateExpression: change.UpdateExpression,
      ConditionExpression: `${isAsRead(stored, valid, 'notBefore')} AND #sessions = :were`,
      ExpressionAttributeNames: attributes,
      ExpressionAttributeValues: {
        ...(valid.notBefore !== undefined && { ':notBeforeRead': valid.notBefore }),
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
    const storedRow = await readStored(table, userId);
    const valid = validEndings(storedRow, now);
    const stored = storedRow.notBefore === undefined ? [] : [valid.notBefore ?? 0];
    // Somebody may have filled the row with invalid values. Valid sessions stay; if there are too many, all sign-ins until now end.
    const isInvalid = storedRow.sessions !== valid.sessions;
    const validCount = isInvalid ? (valid.sessions?.size ?? 0) : 0;
    const isKept = validCount > 0 && validCount <= mostEndedSessions;
    const all = validCount > mostEndedSessions ? secondsOf(now) : notBefore;
    const times = [...stored, ...(all === null ? [] : [all])];
    const latest = times.length > 0 ? Math.max(...times) : null;
    const underWayUntil = Math.max(valid.underWayUntil ?? 0, now.getTime());
    const invalidAsRead = isInvalid ? ' AND (#sessions = :were OR NOT attribute_type(#sessions, :names))' : '';
    const marked = update(
      table,
      { userId },
      {
        UpdateExpression: `SET underWayUntil = :until, expiresAt = :expiry${latest === null ? '' : ', notBefore = :notBefore'}${
          isKept ? ', #sessions = :kept' : isInvalid ? ' REMOVE #sessions' : ''
        }`,
        // Another end of all meanwhile may be the later one.
        ConditionExpression: `${isAsRead(storedRow, valid, 'notBefore')} AND ${isAsRead(storedRow, valid, 'underWayUntil')}${invalidAsRead}`,
        ...(isInvalid && { ExpressionAttributeNames: attributes }),
        ExpressionAttributeValues: {
          ':until': underWayUntil,
          ':expiry': secondsOf(now) + endingsKeptSeconds,
          ...(isInvalid && { ':were': storedRow.sessions, ':names': 'SS' }),
          ...(isKept && { ':kept': valid.sessions }),
          ...(latest !== null && { ':notBefore': latest }),
          ...(valid.notBefore !== undefined && { ':notBeforeRead': valid.notBefore }),
          ...(valid.underWayUntil !== undefined && { ':underWayUntilRead': valid.underWayUntil }),
        },
      },
    );
    return (await commit([marked])) ? undefined : contended;
  });
}

/** The condition that the time is as it was read, as `:<name>Read`. An invalid one need only be there: DynamoDB may hold more digits than a number here. */
function isAsRead(read: Endings, valid: Endings, name: 'notBefore' | 'underWayUntil'): string {
  if (read[name] === undefined) return `attribute_not_exists(${name})`;
  return valid[name] === undefined ? `attribute_exists(${name})` : `${name} = :${name}Read`;
}

/** Strongly consistent; only valid values. */
export async function readEndings(table: Handle<typeof EndedSessions, 'get'>, userId: string): Promise<Endings> {
  return validEndings(await readStored(table, userId), new Date());
}

async function readStored(table: Handle<typeof EndedSessions, 'get'>, userId: string): Promise<Endings> {
  return (await get(table, { userId })) ?? {};
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
