import { endAfter } from './accounts.ts';
import { table } from './tables.ts';

/** The latest consent record of each user and agreement. Whoever looks at a person's data asks it, so it stands here; `consents` owns it. */
export const ConsentStates = table('ConsentStates', { partitionKey: 'userId', sortKey: 'agreementId', stream: true });

type Recorded = { readonly action: 'agreed' | 'revoked'; readonly recordedAt: string };

/** @param ends of the account, in order: what was consented to until one of them has ended */
export function isConsenting<S extends Recorded>(state: S | null, ends: readonly string[]): state is S {
  return state?.action === 'agreed' && endAfter(state.recordedAt, ends) === null;
}
