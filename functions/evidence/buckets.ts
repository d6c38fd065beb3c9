import { bucket } from '../../lib/contract/buckets.ts';

/** Checkpoints of the consent ledger, and the evidence of erasures, each below its own prefix. */
export const Evidence = bucket('Evidence', { lock: 'retention' });

/** The prefixes of the bucket; a function may use only the objects below some of them. */
export const ledgerPrefix = 'ledger/';
export const importsPrefix = 'imports/';
export const erasuresPrefix = 'erasures/';
/** Forbidden changes of the ledger: the rows before and after. */
export const changesPrefix = 'ledger-changes/';
/** The same of stored receipts. */
export const receiptChangesPrefix = 'receipt-changes/';
/** The same of audit events. */
export const auditChangesPrefix = 'audit-changes/';
/** The same of the access log. */
export const accessLogChangesPrefix = 'access-log-changes/';
/** The same of pointers to consent records, with the record that each of them names. */
export const pointerChangesPrefix = 'pointer-changes/';
/** The users' requests: only the function of that request writes here. */
export const requestsPrefix = 'erasure-requests/';
/** Whether the request was taken back or sign-in was closed first: one object for each request, written by the first of the two. */
export const decisionsPrefix = 'erasure-decisions/';
/** Only what the erasing function saw, began and ended. */
export const begunPrefix = 'erasure-begun/';
export const tombstonesPrefix = 'tombstones/';
/** Operators' statements that a tombstone is void: no function writes here. */
export const tombstoneRevocationsPrefix = 'tombstone-revocations/';
