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

/**
 * Whether the erasure began so long ago, by S3's own date of what the erasing function left then, which nobody else can put
 * there. Not when it was done: a run may have ended before it said that.
 */
export function hasRetentionEnded(begunAt: Date | null, asOf: Date): boolean {
  return begunAt !== null && Date.parse(yearsAfter(begunAt.toISOString(), retentionYears)) <= asOf.getTime();
}
