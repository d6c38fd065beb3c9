import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { ChainRow, FigureRow, GenerationsRow } from './rules/statistics-keys.ts';

/** How many consent to each version, by day; and how far each chain of records is counted. Made from the ledger's stream. */
export const ConsentStatistics = table<ChainRow | FigureRow | GenerationsRow>()('ConsentStatistics', {
  partitionKey: 'agreementId',
  sortKey: 'statisticsKey',
  expires: true,
});
export type ConsentStatistics<A extends Action> = Handle<typeof ConsentStatistics, A>;
