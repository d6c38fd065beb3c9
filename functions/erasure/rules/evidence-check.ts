import { dueKeyOf, nextStep } from './due.ts';
import { retentionYears, yearsAfter } from './erasure.ts';
import type { Erasure } from './state.ts';

/** Whether the dated evidence of a user's requests follows the rules. Pure. */

export type RequestEvidence = {
  readonly requestedAt: string;
  /** The time by S3; null if it was never stored. */
  readonly requestStoredAt: Date | null;
  readonly isSeen: boolean;
  readonly begunAt: Date | null;
  readonly isErased: boolean;
};

/**
 * Why a person must examine the request. For the last two, the caller also checks that it was not taken back and that
 * there is no hold.
 */
export type Irregularity =
  | 'erased-unasked'
  | 'erased-unbegun'
  | 'erased-although-taken-back'
  | 'begun-within-the-grace'
  | 'overdue'
  | 'never-taken-up';

/** An erasure may be this late: it waits for the last token to expire, and its runs may fail for a day. */
export const lateMs = 86_400_000;
/**
 * If two requests are made at once, only one is committed. Their times differ at most by the duration of a call and the
 * difference of clocks.
 */
const atOnceMs = 60_000;

type Rules = {
  /** The shortest time between a request and the beginning of the erasure, by S3. */
  readonly graceMs: number;
  /** After this time the grace period is over by any clock. */
  readonly dueMs: number;
  readonly now: Date;
};

/** @param others the other requests of the same user */
export function irregularityOf(
  request: RequestEvidence,
  others: readonly RequestEvidence[],
  { graceMs, dueMs, now }: Rules,
): Irregularity | null {
  const { requestStoredAt, isSeen, begunAt, isErased } = request;
  if (!requestStoredAt) return begunAt || isErased ? 'erased-unasked' : null;
  // The erasing function says that it begins before it removes the first row.
  if (isErased && !begunAt) return 'erased-unbegun';
  if (begunAt && begunAt.getTime() < requestStoredAt.getTime() + graceMs) return 'begun-within-the-grace';
  if (isErased || requestStoredAt.getTime() + dueMs + lateMs >= now.getTime()) return null;
  if (isSeen) return 'overdue';
  return others.some((other) => isInItsPlace(request, other)) ? null : 'never-taken-up';
}

/** Whether the request is the second one of a double click: another one was committed. */
function isInItsPlace({ requestedAt }: RequestEvidence, { requestedAt: other, isSeen }: RequestEvidence): boolean {
  return isSeen && Math.abs(Date.parse(requestedAt) - Date.parse(other)) <= atOnceMs;
}

/** The erased state may be this much later than its evidence, if runs failed between the two. */
const laterMs = 30 * lateMs;

/**
 * The row of the queue by which the records of an erased user are released. Seven functions can write the state, and so keep
 * records for ever.
 *
 * @param erasedAt by S3
 * @returns null if the state says no release, one after the retention, or one that is overdue
 */
export function releaseKeyOf(state: Erasure | null, erasedAt: Date, now: Date): ReturnType<typeof dueKeyOf> {
  const next = state && nextStep(state);
  if (next?.step !== 'release') return null;
  const at = Date.parse(next.at);
  const latest = Date.parse(yearsAfter(erasedAt.toISOString(), retentionYears)) + laterMs;
  return at <= latest && at + 2 * lateMs >= now.getTime() ? dueKeyOf(state as Erasure) : null;
}
