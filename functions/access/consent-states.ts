import { endAfter } from '../../lib/contract/accounts.ts';
import { table } from '../../lib/contract/tables.ts';

/**
 * The latest consent record of each user and agreement. Every check of a look at a person's data reads it, so it is
 * declared here; `consents` owns it.
 */
export const ConsentStates = table('ConsentStates', { partitionKey: 'userId', sortKey: 'agreementId', stream: true });

type Recorded = { readonly action: 'agreed' | 'revoked'; readonly recordedAt: string };

/** @param ends the account's ends, in order: each ended all consents that had been given until then */
export function isConsenting<S extends Recorded>(state: S | null, ends: readonly string[]): state is S {
  return state?.action === 'agreed' && endAfter(state.recordedAt, ends) === null;
}
