import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { DueRow, ErasureRow, HoldRow } from './rules/state.ts';

export { Accounts } from '../../lib/contract/accounts.ts';

/**
 * The users whose data is kept, whatever is requested. Only placing and lifting a hold write here. The erasing function
 * checks this table in its transactions.
 */
export const LegalHolds = table<HoldRow>()('LegalHolds', { partitionKey: 'userId' });
export type LegalHolds<A extends Action> = Handle<typeof LegalHolds, A>;

/** A user's erasure, its tombstone and a legal hold (`user`, userId); what is to be done next and when (`due#<application>` or `due#release`, `<time>#<userId>`). */
export const Erasures = table<ErasureRow | DueRow>()('Erasures', {
  partitionKey: 'kind',
  sortKey: 'erasureKey',
  stream: true,
});
export type Erasures<A extends Action> = Handle<typeof Erasures, A>;
