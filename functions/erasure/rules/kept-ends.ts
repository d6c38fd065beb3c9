import { isTime } from './erasure-form.ts';
import type { Erasure } from './state.ts';

/** The clocks of hosts differ by seconds at most. */
const clockSkewMs = 60_000;

/**
 * The state with the ends that are stored in the account's row, too. A restored backup, or somebody who may write
 * states, may have removed them from the state; the consents before them stay ended. An end in the future was planted:
 * it would end consents that are given later.
 *
 * @param stored the attribute `ends` of the account's row, which may have been planted
 */
export function withEndsOf(erasure: Erasure, stored: unknown, now: Date): Erasure {
  const latest = new Date(now.getTime() + clockSkewMs).toISOString();
  const times: unknown[] = Array.isArray(stored) ? stored : [];
  const kept = times.filter((time): time is string => isTime(time) && String(time) <= latest);
  return { ...erasure, ends: [...new Set([...erasure.ends, ...kept])].toSorted() };
}
