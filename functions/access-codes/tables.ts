import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { BatchRow, CodeGroup, CodeRow, SealedCodes } from './rules/batch.ts';
import type { EntitlementRow } from './rules/entitlement.ts';
import type { StartRow } from './rules/entitlement-start.ts';
import type { Tries } from './rules/tries.ts';

/**
 * Batches of codes: under `~batches` what each grants, by `batchId`, which increases with time; under its `batchId` its groups of
 * up to 16 codes, each with counts of redeemed and revoked codes.
 */
export const AccessCodeBatches = table<BatchRow | CodeGroup>()('AccessCodeBatches', {
  partitionKey: 'batchId',
  sortKey: 'part',
  // A redemption is counted, and changes nothing that a batch grants.
  adjustable: ['redeemed', 'revoked', 'revokedAt', 'entitlementsEndedAt'],
});
export type AccessCodeBatches<A extends Action> = Handle<typeof AccessCodeBatches, A>;

/** By the keyed hash of the code, which is its id: the code itself is nowhere. */
export const AccessCodes = table<CodeRow>()('AccessCodes', { partitionKey: 'accessCodeId' });
export type AccessCodes<A extends Action> = Handle<typeof AccessCodes, A>;

/**
 * The codes of a batch, sealed, for the day in which its `Idempotency-Key` answers them again; and under the `accessCodeId` of an
 * insurer's code, and `insurer`, that code, sealed, for as long as it can be billed.
 */
export const IssuedAccessCodes = table<SealedCodes>()('IssuedAccessCodes', {
  partitionKey: 'batchId',
  sortKey: 'part',
  expires: true,
});
export type IssuedAccessCodes<A extends Action> = Handle<typeof IssuedAccessCodes, A>;

/** What a user's codes have unlocked, by `entitlementId`, which increases with time, and since when staff ended it. */
export const Entitlements = table<EntitlementRow>()('Entitlements', {
  partitionKey: 'userId',
  sortKey: 'entitlementId',
  // Staff end what a code has unlocked, and grant nothing.
  adjustable: ['endedAt'],
  stream: true,
});
export type Entitlements<A extends Action> = Handle<typeof Entitlements, A>;

/**
 * Rows that lead to the entitlements. One is under programme, date and shard of the start, so that the users who started on a day are
 * found without a Scan. One is under the group of the code, so that staff can end the entitlements. The date is in UTC.
 * rules/entitlement-start.ts makes the keys.
 */
export const EntitlementStarts = table<StartRow>()('EntitlementStarts', {
  partitionKey: 'start',
  sortKey: 'entitlementId',
});
export type EntitlementStarts<A extends Action> = Handle<typeof EntitlementStarts, A>;

/** A user's wrong codes of the last hour; each redemption moves its revision, so that those of one user follow one another. */
export const AccessCodeTries = table<Tries>()('AccessCodeTries', { partitionKey: 'userId', expires: true });
export type AccessCodeTries<A extends Action> = Handle<typeof AccessCodeTries, A>;
