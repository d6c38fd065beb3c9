import { table } from '../../lib/contract/tables.ts';

/** The catalogues: agreements, their versions, which agreement a version belongs to, and the revision of each catalogue. */
export const Agreements = table('Agreements', { partitionKey: 'application', sortKey: 'catalogueKey' });
