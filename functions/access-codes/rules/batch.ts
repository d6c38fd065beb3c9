/** A batch, its groups, and in which state a code is. Pure: the time is an argument. */

import { isTime, isToCome } from '../../../lib/contract/instant.ts';

/** What all codes of a batch have in common. */
export type Batch = {
  batchId: string;
  count: number;
  kind: 'prescription' | 'clinic' | 'study';
  programmeId: string;
  grantsDays: number;
  redeemBy: string;
  siteId: string | null;
  studyId: string | null;
  createdAt: string;
  revokedAt: string | null;
  entitlementsEndedAt: string | null;
  /** Counts its changes, from 1; a part of its codes that is written is one. */
  revision: number;
};

/** A batch has its id as `part`. */
export type BatchRow = Batch & { part: string };

/**
 * Up to 16 codes of a batch. What a redemption counts stands here and not in one row, so that a thousand at once do not all
 * meet; and here the revocation of a batch meets each of them. Both change what they change without reading the row before.
 */
export type CodeGroup = {
  batchId: string;
  /** `g00` */
  part: string;
  codes: number;
  redeemed: number;
  /** One by one; of a whole batch `revokedAt` says it. */
  revoked: number;
  /** With its batch. */
  revokedAt?: string;
  /** Written after the end of each entitlement of the group: then all of them are over. */
  entitlementsEndedAt?: string;
};

export type CodeRow = {
  /** The keyed hash of the code. */
  accessCodeId: string;
  /** Null of an insurer's. */
  batchId: string | null;
  part: string | null;
  redeemedAt?: string;
  /** The id of the entitlement of the user who redeemed it. No row leads from here to a person. */
  entitlementId?: string;
  revokedAt?: string;
};

/** What was issued, or an insurer's code. `expiresAt` in seconds since 1970. */
export type SealedCodes = { batchId: string; part: string; sealed: string; expiresAt: number };

export const groupSize = 16;
/** A transaction takes 100 items: these codes, their groups, the batch, what is kept for the day, and the caller's account. */
export const chunkSize = 80;

/** The parts in which a batch is written, by their first codes. */
export function chunksOf(count: number): { part: string; from: number; size: number }[] {
  return Array.from({ length: Math.ceil(count / chunkSize) }, (_, index) => ({
    part: `c${String(index).padStart(2, '0')}`,
    from: index * chunkSize,
    size: Math.min(chunkSize, count - index * chunkSize),
  }));
}

/** The first group and the last that there can be. */
export const groupParts = ['g00', 'g99'] as const;

/** @param index of the code in its batch, from 0 */
export function groupOf(index: number): string {
  return `g${String(Math.floor(index / groupSize)).padStart(2, '0')}`;
}

export type CodeStatus = 'issued' | 'redeemed' | 'expired' | 'revoked';

export function statusOf(
  { redeemedAt, revokedAt }: CodeRow,
  batch: Pick<Batch, 'redeemBy' | 'revokedAt'>,
  now: Date,
): CodeStatus {
  if (redeemedAt !== undefined) return 'redeemed';
  if (revokedAt !== undefined || batch.revokedAt !== null) return 'revoked';
  return isExpired(batch, now) ? 'expired' : 'issued';
}

function isExpired({ redeemBy }: Pick<Batch, 'redeemBy'>, now: Date): boolean {
  return now.toISOString() > redeemBy;
}

/** What staff see of a batch: that entitlements are ended is said when all are. Codes of a batch that is still being issued are not counted before they are there. */
export function summaryOf({ revision, ...batch }: Batch, groups: readonly CodeGroup[], now: Date) {
  // A count that others may have written is none where it is no number.
  const sum = (of: (group: CodeGroup) => unknown) =>
    groups.reduce((total, group) => total + (Number(of(group)) || 0), 0);
  const codes = sum((group) => group.codes);
  const redeemed = sum((group) => group.redeemed);
  const single = sum((group) => group.revoked);
  const left = codes - redeemed - single;
  const isRevoked = batch.revokedAt !== null;
  const isOver = !isRevoked && isExpired(batch, now);
  const areEnded = groups.every((group) => group.entitlementsEndedAt !== undefined);
  return {
    ...batch,
    entitlementsEndedAt: areEnded ? batch.entitlementsEndedAt : null,
    status: isRevoked ? ('revoked' as const) : codes < batch.count ? ('issuing' as const) : ('issued' as const),
    counts: {
      issued: isRevoked || isOver ? 0 : left,
      redeemed,
      expired: isOver ? left : 0,
      revoked: single + (isRevoked ? left : 0),
    },
  };
}

/** Revoked, and its entitlements ended where that is asked for; what is so already keeps its time, but for one to come. */
export function revoked(batch: Batch, { endEntitlements, now }: { endEntitlements: boolean; now: Date }): Batch {
  const at = now.toISOString();
  // More than clocks may differ by: two revocations at once are one.
  const later = new Date(now.getTime() + 5 * 60_000);
  const past = (time: string | null) => (isTime(time) && !isToCome(time, later) ? time : null);
  return {
    ...batch,
    revokedAt: past(batch.revokedAt) ?? at,
    entitlementsEndedAt: past(batch.entitlementsEndedAt) ?? (endEntitlements ? at : null),
    revision: batch.revision + 1,
  };
}
