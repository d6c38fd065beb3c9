import { table } from '../../lib/contract/tables.ts';

/** How many consent to each version, by day; and how far each chain of records is counted. Made from the ledger's stream. */
export const ConsentStatistics = table('ConsentStatistics', {
  partitionKey: 'agreementId',
  sortKey: 'statisticsKey',
  expires: true,
});
