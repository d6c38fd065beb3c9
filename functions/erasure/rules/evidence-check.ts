/** What the dated evidence says of one request, and whether that may be. Pure. */

export type RequestEvidence = {
  /** By S3; null where it was never laid. */
  readonly askedAt: Date | null;
  readonly begunAt: Date | null;
  readonly isErased: boolean;
};

/** Why somebody has to look at it. `unless` it was taken back or is held, which the caller asks then. */
export type Irregularity = 'erased-unasked' | 'begun-within-the-grace' | 'overdue-unless';

/** An erasure waits for the grace, the last token, and for runs that fail for a day. */
const lateMs = 86_400_000;

/** @param graceMs as `datedGraceMs`; @param dueMs by which it is over in any case */
export function irregularityOf(
  { askedAt, begunAt, isErased }: RequestEvidence,
  { graceMs, dueMs, now }: { readonly graceMs: number; readonly dueMs: number; readonly now: Date },
): Irregularity | null {
  if (!askedAt) return begunAt || isErased ? 'erased-unasked' : null;
  if (begunAt && begunAt.getTime() < askedAt.getTime() + graceMs) return 'begun-within-the-grace';
  return !isErased && askedAt.getTime() + dueMs + lateMs < now.getTime() ? 'overdue-unless' : null;
}
