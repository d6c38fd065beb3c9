import { type Erasure, nothing, retentionYears, yearsAfter } from './erasure.ts';
import { logNameOf } from './replayed.ts';

/** A state as it lies in the log; `storedAt` is the bucket's own word. */
export type Logged = { readonly state: Erasure; readonly storedAt: Date };

/** @returns null for what is not the state that its name says: whoever put it there may have put anything */
export function stateIn(text: string, { userId, name }: { userId: string; name: string }): Erasure | null {
  try {
    const state = JSON.parse(text) as Erasure;
    if (state.userId !== userId || logNameOf(state) !== name) return null;
    return { ...nothing(userId), ...state };
  } catch {
    return null;
  }
}

/** Hosts keep time within seconds. */
const clockSkewMs = 60_000;

/** Without what the state says of a hold where that is dated later than S3 was given it: whoever put it there dates as he likes. */
export function datedState({ state, storedAt }: Logged): Erasure {
  const isLater = Date.parse(state.holdChangedAt ?? '') > storedAt.getTime() + clockSkewMs;
  return isLater ? { ...state, legalHold: null, holdChangedAt: null } : state;
}

/**
 * Whether the erasure began so long ago, by S3's own date of what the erasing function left then, which nobody else can put
 * there. Not when it was done: a run may have ended before it said that.
 */
export function hasRetentionEnded(begunAt: Date | null, asOf: Date): boolean {
  return begunAt !== null && Date.parse(yearsAfter(begunAt.toISOString(), retentionYears)) <= asOf.getTime();
}
