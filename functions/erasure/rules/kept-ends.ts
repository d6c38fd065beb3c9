import { endsIn } from '../../../lib/contract/accounts.ts';
import { isToCome } from '../../../lib/contract/instant.ts';
import type { Erasure } from './state.ts';

/**
 * The state with the ends that are stored in the account's row, too. A restored backup, or somebody who may write
 * states, may have removed them from the state; the consents before them stay ended. An end in the future was planted:
 * it would end consents that are given later.
 *
 * @param stored the attribute `ends` of the account's row, which may have been planted
 */
export function withEndsOf(erasure: Erasure, stored: unknown, now: Date): Erasure {
  const kept = endsIn(stored).filter((time) => !isToCome(time, now));
  return { ...erasure, ends: [...new Set([...erasure.ends, ...kept])].toSorted() };
}
