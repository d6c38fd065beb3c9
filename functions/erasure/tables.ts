import { table } from '../../lib/contract/tables.ts';

export { Accounts } from '../../lib/contract/accounts.ts';

/** A user's erasure, its tombstone and a legal hold (`user`, userId); what is to be done next and when (`due#<application>` or `due#release`, `<time>#<userId>`). */
export const Erasures = table('Erasures', { partitionKey: 'kind', sortKey: 'erasureKey', stream: true });
