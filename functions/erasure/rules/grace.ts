import type { Erasure, Times } from './erasure.ts';

/** The grace: from when the request is first seen, until it is taken back or sign-in is to be closed. */

const dayMs = 86_400_000;
/** Between a request and the run that first sees it: five minutes, and more where runs failed. */
const soonMs = 3_600_000;

/** What follows from a request, and goes with it. */
const noConsequences = {
  closingAt: null,
  closedAt: null,
  accessEndsAt: null,
  begunAt: null,
  erasedAt: null,
  retainUntil: null,
  pending: null,
} as const;

/**
 * Whether it is too late is for the evidence to say: whatever the row says that followed from the request goes.
 *
 * @returns null where it is not known yet what ended
 */
export function restored(before: Erasure, now: Date): Erasure | null {
  if (!before.requestedAt) return before;
  if (!before.settledAt) return null;
  return { ...withoutRequest(before), restoredAt: now.toISOString() };
}

export function withoutRequest(before: Erasure): Erasure {
  const noRequest = { requestedAt: null, endedAt: null, settledAt: null, signedOutAt: null, graceEndsAt: null };
  return { ...before, ...noRequest, ...noConsequences, witnessedAt: null };
}

export type Grace = { readonly graceDays: number; readonly isDated: boolean };

/**
 * What erases sees the request for the first time: what the row says that followed from it did not, and the grace is whole.
 *
 * @param isDated S3's dates tell when the grace ends; where they do not, an end that the row names stays
 */
export function firstSeen(before: Erasure, { businessNow }: Times, { graceDays, isDated }: Grace): Erasure {
  const { requestedAt, graceEndsAt } = before;
  if (!requestedAt) return before;
  const isFresh = Object.entries(noConsequences).every(([name]) => before[name as keyof Erasure] === null);
  const whole = new Date(businessNow.getTime() + graceDays * dayMs);
  const isShort = !graceEndsAt || (isDated && Date.parse(graceEndsAt) < whole.getTime() - soonMs);
  if (isFresh && !isShort) return before;
  return { ...before, ...noConsequences, witnessedAt: null, graceEndsAt: whole.toISOString() };
}

/** It was never decided that sign-in closes: what the row says of it did not happen. */
export function notClosed(before: Erasure): Erasure {
  return { ...before, ...noConsequences };
}

export function witnessed(before: Erasure, now: Date): Erasure {
  return before.requestedAt && !before.witnessedAt ? { ...before, witnessedAt: now.toISOString() } : before;
}
