import { table } from '../../lib/contract/tables.ts';

/** The catalogues: agreements, their versions, the names of both, and the revision of each catalogue. */
export const Agreements = table('Agreements', { partitionKey: 'application', sortKey: 'catalogueKey' });
