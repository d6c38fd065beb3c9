import { isOpen } from './insisting.ts';
import type { Call } from './scenario.ts';

/** A call of a history, and whether its effect is known: an answer that never came says nothing. */
type Observed<S> = {
  readonly begun: number;
  readonly ended: number;
  /** @returns the state after it; undefined where this call could not have had its answer in that state */
  readonly apply: (state: S) => S | undefined;
  /** The call may also have had no effect, since its answer never came or was an error. */
  readonly isOpen: boolean;
};

/**
 * Whether some order explains all answers that respects real time: Wing and Gong, "Testing and verifying concurrent objects"
 * (1993).
 *
 * @param accepts whether the last state is the one that is there in the end
 */
export function isLinearizable<S>(
  initial: S,
  history: readonly Observed<S>[],
  accepts: (state: S) => boolean,
): boolean {
  const search = (state: S, left: readonly Observed<S>[]): boolean => {
    if (left.length === 0) return accepts(state);
    // Only a call that began before every other one ended may be the next.
    const firstEnd = Math.min(...left.map(({ ended }) => ended));
    return left.some((call) => {
      if (call.begun > firstEnd) return false;
      const others = left.filter((each) => each !== call);
      const next = call.apply(state);
      return (next !== undefined && search(next, others)) || (call.isOpen && search(state, others));
    });
  };
  return search(initial, history);
}

/** A call without an answer may take effect until everything has come to rest. */
export function observed<S>(call: Call, apply: (state: S) => S | undefined): Observed<S> {
  const ended = isOpen(call) ? Number.POSITIVE_INFINITY : call.ended;
  return { begun: call.begun, ended, apply, isOpen: isOpen(call) };
}
