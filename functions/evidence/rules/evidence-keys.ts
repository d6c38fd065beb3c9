/** Where the bucket of evidence has what about an erased user: written by the erasure, read by the check of the ledger. Pure. */

/** The statement that is signed when the chains of an erased user are released. */
export const tombstoneKey = (userId: string) => `tombstones/${userId}.jws`;
/** Stored when the erasure begins that leads to a tombstone, so that S3 dates the beginning. */
export const begunKey = (userId: string, requestedAt: string) => `${begunBelow(userId)}${requestedAt}.begun.json`;
/** The user's request, stored by the function of that request and dated by S3. */
export const requestKey = (userId: string, requestedAt: string) => `erasure-requests/${userId}/${requestedAt}.json`;
export const begunBelow = (userId: string) => `erasure-begun/${userId}/`;
export const tombstoneType = 'ledger-tombstone+jwt';
/** An operator's statement that one tombstone of a user, named by its SHA-256, is void. */
export const tombstoneRevocationsBelow = (userId: string) => `tombstone-revocations/${userId}/`;
export const tombstoneRevocationType = 'tombstone-revocation+jwt';
/** It names every chain of its user: a hundred agreements are some twenty thousand characters. */
export const longestTombstone = 1_000_000;
