/** What a redeemed code unlocks, and until when. Pure: the time is an argument, and it is the business rules' one. */

import { isTime } from '../../../lib/contract/instant.ts';

export type EntitlementRow = {
  userId: string;
  entitlementId: string;
  programmeId: string;
  startsAt: string;
  endsAt: string;
  redeemedAt: string;
  accessCodeId: string;
  /** Where the code's group is; null of an insurer's code. */
  batchId: string | null;
  part: string | null;
  /** Since when staff ended it early. Every reader goes by this row only. */
  endedAt?: string;
};

/** Whom a code of a group has unlocked something for. */
export type Holder = Pick<EntitlementRow, 'userId' | 'entitlementId' | 'accessCodeId'>;

export type Entitlement = {
  entitlementId: string;
  programmeId: string;
  startsAt: string;
  endsAt: string;
  status: 'scheduled' | 'active' | 'ended';
};

/** Of 24 hours: what is granted does not depend on where somebody lives. */
const dayMs = 86_400_000;

export function entitlementOf(row: EntitlementRow, now: Date): Entitlement {
  const { entitlementId, programmeId, startsAt, endsAt, endedAt } = row;
  // Others may write what is no text, which ends nothing.
  const end = typeof endedAt === 'string' && endedAt < endsAt ? endedAt : endsAt;
  const at = now.toISOString();
  const status = at >= end ? 'ended' : at < startsAt ? 'scheduled' : 'active';
  // One that was ended before it started has no time at all, nor has one whose end is no time.
  return { entitlementId, programmeId, startsAt, endsAt: end < startsAt || !isTime(end) ? startsAt : end, status };
}

/**
 * When a further code of a programme begins to count, and until when.
 *
 * @param others what the user has of whatever programme, as it stands now
 */
export function termOf(
  { programmeId, grantsDays }: { programmeId: string; grantsDays: number },
  others: readonly Entitlement[],
  now: Date,
): { startsAt: string; endsAt: string } {
  // One that was ended before it started has no time, and nothing waits for it.
  const isAhead = (other: Entitlement) => other.programmeId === programmeId && other.endsAt > other.startsAt;
  const ends = others.filter(isAhead).map(({ endsAt }) => Date.parse(endsAt));
  const start = Math.max(now.getTime(), ...ends);
  return { startsAt: new Date(start).toISOString(), endsAt: new Date(start + grantsDays * dayMs).toISOString() };
}
