/** What the dated evidence says of a user's requests, and whether that may be. Pure. */

export type RequestEvidence = {
  readonly requestedAt: string;
  /** By S3; null where it was never laid. */
  readonly askedAt: Date | null;
  readonly isSeen: boolean;
  readonly begunAt: Date | null;
  readonly isErased: boolean;
};

/** Why somebody has to look at it; the last two only where it was not taken back and is not held, which the caller asks then. */
export type Irregularity = 'erased-unasked' | 'begun-within-the-grace' | 'overdue' | 'never-taken-up';

/** An erasure waits for the last token, and for runs that fail for a day. */
const lateMs = 86_400_000;
/** Of two requests at once one is committed: they are as far apart as a call may last and clocks may differ. */
const atOnceMs = 60_000;

type Rules = {
  /** Between a request and the beginning, by S3. */
  readonly graceMs: number;
  /** After which the grace is over by any clock. */
  readonly dueMs: number;
  readonly now: Date;
};

/** @param others the same user's */
export function irregularityOf(
  request: RequestEvidence,
  others: readonly RequestEvidence[],
  { graceMs, dueMs, now }: Rules,
): Irregularity | null {
  const { askedAt, isSeen, begunAt, isErased } = request;
  if (!askedAt) return begunAt || isErased ? 'erased-unasked' : null;
  if (begunAt && begunAt.getTime() < askedAt.getTime() + graceMs) return 'begun-within-the-grace';
  if (isErased || askedAt.getTime() + dueMs + lateMs >= now.getTime()) return null;
  if (isSeen) return 'overdue';
  return others.some((other) => isInItsPlace(request, other)) ? null : 'never-taken-up';
}

/** What a double click left beside the request that was committed. */
function isInItsPlace({ requestedAt }: RequestEvidence, { requestedAt: other, isSeen }: RequestEvidence): boolean {
  return isSeen && Math.abs(Date.parse(requestedAt) - Date.parse(other)) <= atOnceMs;
}
