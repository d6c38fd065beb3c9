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
 * Whether the log, which who writes the tables cannot write, knows of an erasure that began so long ago. Not when it was
 * done: a run may have ended before it laid that.
 */
export function hasRetentionEnded(logged: readonly Logged[], asOf: Date): boolean {
  return logged.some(
    ({ state: { begunAt }, storedAt }) =>
      begunAt !== null &&
      [begunAt, storedAt.toISOString()].every((time) => Date.parse(yearsAfter(time, retentionYears)) <= asOf.getTime()),
  );
}
