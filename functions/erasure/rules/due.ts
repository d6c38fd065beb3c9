import type { Erasure, ErasureKey, Times } from './state.ts';

/** The next step of an erasure: which step it is, when it is due, and its key in the queue. */

export type Step = 'settle' | 'witness' | 'close' | 'erase' | 'release';

export const releaseQueue = 'due#release';

export function queueOf(application: string): string {
  return `due#${application}`;
}

/** The next step and when it is due. Null if there is no next step, or if a hold stops it. */
export function nextStep(erasure: Erasure): { step: Step; at: string } | null {
  const { requestedAt, settledAt, signedOutAt, witnessedAt, graceEndsAt, closingAt, closedAt, accessEndsAt } = erasure;
  const { begunAt, retainUntil, releasedAt, legalHold, pending } = erasure;
  if (!requestedAt) return null;
  if (!settledAt || !signedOutAt) return { step: 'settle', at: requestedAt };
  if (!witnessedAt) return { step: 'witness', at: requestedAt };
  // Sign-in is closed even under a hold, because a hold is only about data.
  if (!closedAt || !accessEndsAt) return { step: 'close', at: closingAt ?? graceEndsAt ?? requestedAt };
  // An erasure that has begun is finished: the hold cannot keep data that was erased before it.
  if (pending === 'erasure' && begunAt) return { step: 'erase', at: begunAt };
  if (pending === 'release' && releasedAt) return { step: 'release', at: releasedAt };
  if (legalHold) return null;
  if (!begunAt) return { step: 'erase', at: accessEndsAt };
  if (!releasedAt && retainUntil) return { step: 'release', at: retainUntil };
  return null;
}

export function stepDue(erasure: Erasure, { now, businessNow }: Times): Step | null {
  const next = nextStep(erasure);
  if (!next) return null;
  const { closingAt, pending } = erasure;
  // A decided step is due by the real time.
  const isByBusinessTime = next.step === 'close' ? closingAt === null : next.step === 'release' && pending === null;
  return Date.parse(next.at) <= (isByBusinessTime ? businessNow : now).getTime() ? next.step : null;
}

/**
 * The queue of a step: the erasing function of each application has its own queue, and one function releases for both.
 */
export function dueKeyOf(erasure: Erasure): ErasureKey | null {
  const next = nextStep(erasure);
  if (!next || !erasure.application) return null;
  const kind = next.step === 'release' ? releaseQueue : queueOf(erasure.application);
  return { kind, erasureKey: `${next.at}#${erasure.userId}` };
}

/**
 * The queue entries that a change removes and adds. An entry is added even if it should exist: a restore may have
 * removed it.
 */
export function dueMove(before: Erasure | null, after: Erasure) {
  const [left, next] = [before && dueKeyOf(before), dueKeyOf(after)];
  const isMoved = left?.kind !== next?.kind || left?.erasureKey !== next?.erasureKey;
  return { left: isMoved ? left : null, next };
}

/** A key after all entries that are due by then: `~` sorts after every character of an id. */
export function dueUntil(until: Date): string {
  return `${until.toISOString()}#~`;
}
