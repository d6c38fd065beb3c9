import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { AgreementsRow } from './rules/catalogue-rows.ts';

/** The catalogues: agreements, their versions, the names of both, and the revision of each catalogue. */
export const Agreements = table<AgreementsRow>()('Agreements', {
  partitionKey: 'application',
  sortKey: 'catalogueKey',
});
export type Agreements<A extends Action> = Handle<typeof Agreements, A>;
