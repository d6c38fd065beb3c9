import type { Erasure, Times } from './state.ts';

/**
 * The grace period: it begins when the request is first seen, and ends when the request is taken back or sign-in is
 * closed.
 */

const dayMs = 86_400_000;
/** The time between a request and the run that first sees it: five minutes, or more if runs failed. */
const soonMs = 3_600_000;

/** The fields that follow from a request, and that are cleared with it. */
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
 * Clears every field that followed from the request. The evidence, and not the row, decides whether it is too late for
 * this.
 *
 * @returns null if it is not known yet which consents ended
 */
export function restoreAccount(before: Erasure, now: Date): Erasure | null {
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
 * The erasing function sees the request for the first time. So nothing can have followed from the request, whatever the
 * row says, and the full grace period begins.
 *
 * @param isDated whether the end of the grace period follows from S3's dates; if not, an end in the row stays
 */
export function recordFirstSeen(before: Erasure, { businessNow }: Times, { graceDays, isDated }: Grace): Erasure {
  const { requestedAt, graceEndsAt } = before;
  if (!requestedAt) return before;
  const isFresh = Object.entries(noConsequences).every(([name]) => before[name as keyof Erasure] === null);
  const whole = new Date(businessNow.getTime() + graceDays * dayMs);
  const isShort = !graceEndsAt || (isDated && Date.parse(graceEndsAt) < whole.getTime() - soonMs);
  if (isFresh && !isShort) return before;
  return { ...before, ...noConsequences, witnessedAt: null, graceEndsAt: whole.toISOString() };
}

/** Nobody decided to close sign-in. So it did not happen, whatever the row says. */
export function notClosed(before: Erasure): Erasure {
  return { ...before, ...noConsequences };
}

export function recordWitnessed(before: Erasure, now: Date): Erasure {
  return before.requestedAt && !before.witnessedAt ? { ...before, witnessedAt: now.toISOString() } : before;
}
