import { bucket } from '../../lib/contract/buckets.ts';

/** Checkpoints of the consent ledger; and what erasures leave, below prefixes of their own. */
export const Evidence = bucket('Evidence', { lock: 'retention' });

/** What lies where in it; functions are let to what is below one of these. */
export const ledgerPrefix = 'ledger/';
export const importsPrefix = 'imports/';
export const erasuresPrefix = 'erasures/';
/** Changes of the ledger that nobody may make, as they were before and after. */
export const changesPrefix = 'ledger-changes/';
/** The same of stored receipts. */
export const receiptChangesPrefix = 'receipt-changes/';
/** What users asked for: only the function of that request puts something here. */
export const requestsPrefix = 'erasure-requests/';
/** Whether a request was taken back or its closing came first: one object for each, by who was first. */
export const decisionsPrefix = 'erasure-decisions/';
/** Only what the erasing function saw, began and ended. */
export const begunPrefix = 'erasure-begun/';
export const tombstonesPrefix = 'tombstones/';
/** Operators' statements that a tombstone counts for nothing: no function puts anything here. */
export const tombstoneRevocationsPrefix = 'tombstone-revocations/';
