import { bucket } from '../../lib/contract/buckets.ts';

/** Checkpoints of the consent ledger; and what erasures leave, below prefixes of their own. */
export const Evidence = bucket('Evidence', { lock: 'retention' });

/** What lies where in it; functions are let to what is below one of these. */
export const ledgerPrefix = 'ledger/';
export const importsPrefix = 'imports/';
export const erasuresPrefix = 'erasures/';
/** Changes of the ledger that nobody may make, as they were before and after. */
export const changesPrefix = 'ledger-changes/';
/** What users asked for: only the function of that request puts something here. */
export const requestsPrefix = 'erasure-requests/';
/** What the erasing function began, and that alone. */
export const begunPrefix = 'erasure-begun/';
export const tombstonesPrefix = 'tombstones/';
