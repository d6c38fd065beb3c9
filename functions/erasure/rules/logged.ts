import { skewMs } from '../../../lib/contract/instant.ts';
import { retentionYears, yearsAfter } from './erasure.ts';
import { isErasure } from './erasure-form.ts';
import { logNameOf } from './replayed.ts';
import type { Erasure } from './state.ts';

/** A state in the log; `storedAt` is S3's own date. */
export type Logged = { readonly state: Erasure; readonly storedAt: Date };

/** @returns null if the object is not the state that its name says: a planted object may contain anything */
export function stateIn(text: string, { userId, name }: { userId: string; name: string }): Erasure | null {
  try {
    const state = JSON.parse(text) as Erasure;
    if (state.userId !== userId || logNameOf(state) !== name) return null;
    return isErasure(state) ? state : null;
  } catch {
    return null;
  }
}

/**
 * Ignores the state's hold if its time is later than S3's date of the object: somebody planted it with a false time.
 */
export function datedState({ state, storedAt }: Logged): Erasure {
  const isLater = Date.parse(state.holdChangedAt ?? '') > storedAt.getTime() + skewMs;
  return isLater ? { ...state, legalHold: null, holdChangedAt: null } : state;
}

/**
 * Whether the erasure began so long ago. S3 dates the object that the erasing function stored at the beginning, and
 * nobody else can store such an object. The end of the erasure does not count, because a run may have stopped before it
 * stored it.
 */
export function hasRetentionEnded(begunAt: Date | null, asOf: Date): boolean {
  return begunAt !== null && Date.parse(yearsAfter(begunAt.toISOString(), retentionYears)) <= asOf.getTime();
}
