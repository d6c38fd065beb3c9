import type { Erasure, Times } from './erasure.ts';

/** The next step of an erasure: which, from when, and under which key it waits for its time. */

export type Step = 'settle' | 'witness' | 'close' | 'erase' | 'release';

export const releaseQueue = 'due#release';

export function queueOf(application: string): string {
  return `due#${application}`;
}

/** What is to be done next, and from when; null where nothing is, or a hold stops it. */
export function nextStep(erasure: Erasure): { step: Step; at: string } | null {
  const { requestedAt, settledAt, signedOutAt, witnessedAt, graceEndsAt, closingAt, closedAt, accessEndsAt } = erasure;
  const { begunAt, retainUntil, releasedAt, legalHold, pending } = erasure;
  if (!requestedAt) return null;
  if (!settledAt || !signedOutAt) return { step: 'settle', at: requestedAt };
  if (!witnessedAt) return { step: 'witness', at: requestedAt };
  // Sign-in ends in any case: a hold is about data.
  if (!closedAt || !accessEndsAt) return { step: 'close', at: closingAt ?? graceEndsAt ?? requestedAt };
  // What has begun is finished: what was erased before the hold is not what it keeps.
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
  // What is decided is carried out by the real time.
  const isByBusinessTime = next.step === 'close' ? closingAt === null : next.step === 'release' && pending === null;
  return Date.parse(next.at) <= (isByBusinessTime ? businessNow : now).getTime() ? next.step : null;
}

/** Where it stands what is next: each application's function reads its own queue, and one function releases. */
export function dueKeyOf(erasure: Erasure): { kind: string; erasureKey: string } | null {
  const next = nextStep(erasure);
  if (!next || !erasure.application) return null;
  const kind = next.step === 'release' ? releaseQueue : queueOf(erasure.application);
  return { kind, erasureKey: `${next.at}#${erasure.userId}` };
}

/** What a change takes out of the queue and puts into it. What is put may stand there already: a restore may have taken it. */
export function dueMove(before: Erasure | null, after: Erasure) {
  const [left, next] = [before && dueKeyOf(before), dueKeyOf(after)];
  const isMoved = left?.kind !== next?.kind || left?.erasureKey !== next?.erasureKey;
  return { left: isMoved ? left : null, next };
}

/** After every key of what is due by then: `~` sorts after every character of an id. */
export function dueUntil(until: Date): string {
  return `${until.toISOString()}#~`;
}
