import { isTime, isToCome } from '../../../lib/contract/instant.ts';

/**
 * The rules of a message to a group. A user who was a member when it was accepted, and stayed a member until it is posted, gets it
 * once. Pure: times are arguments.
 */

export type Broadcast = {
  readonly groupId: string;
  readonly broadcastId: string;
  readonly purpose: 'therapy' | 'service' | 'marketing';
  readonly title: string;
  readonly body: string;
  readonly authorId: string;
  /** The business rules' time. */
  readonly createdAt: string;
  /** Real time: members since later than that do not get it. */
  readonly acceptedAt: string;
};

/** How far a broadcast is: each number changes in the transaction that makes it true. */
export type Progress = {
  /** Members who are to get it, as far as they were listed. */
  readonly total: number;
  readonly posted: number;
  readonly failed: number;
  readonly skipped: number;
  /** Pages of members that were listed, and the member whom the last one ended with. */
  readonly listed: number;
  readonly after: string | null;
  readonly isListed: boolean;
  /** Parts that are neither through nor given up. */
  readonly open: number;
};

export const begun: Progress = {
  total: 0,
  posted: 0,
  failed: 0,
  skipped: 0,
  listed: 0,
  after: null,
  isListed: false,
  open: 0,
};

export function statusOf({ isListed, open }: Progress): 'gathering' | 'posting' | 'done' {
  if (!isListed) return 'gathering';
  return open > 0 ? 'posting' : 'done';
}

/** Members who still have to get it. */
export type Part = {
  readonly broadcastId: string;
  readonly part: string;
  readonly userIds: readonly string[];
  /** Those of them for whom a try has failed. */
  readonly tried: readonly string[];
  /** They count as failed. A message that comes again all the same, from the dead letters, tries them once more. */
  readonly isGivenUp: boolean;
  /** Counts the changes, from 1. */
  readonly revision: number;
  readonly expiresAt: number;
};

export type ProgressRow = Progress & Pick<Part, 'broadcastId' | 'part' | 'expiresAt'>;

/** It was posted to the member, or it is not: one of the times is there. */
export type Delivery = {
  readonly userId: string;
  readonly broadcastId: string;
  readonly groupId: string;
  readonly postedAt?: string;
  readonly skippedAt?: string;
  readonly expiresAt: number;
};

/** What became of a member: `failed` can be tried again. Absent: not tried, for want of time. */
export type Outcome = 'posted' | 'skipped' | 'failed';

export type Settled = {
  /** What is left of the part; null where nobody is. */
  readonly after: Part | null;
  /** What the progress changes by. */
  readonly by: Pick<Progress, 'posted' | 'failed' | 'skipped' | 'open'>;
};

/** The order of the members: first those who were never tried, then the others, the longest ago first. */
export function inTurn(part: Part): string[] {
  return [...untriedOf(part), ...part.tried];
}

/** Nobody of them counts as failed. */
export function untriedOf({ userIds, tried }: Pick<Part, 'userIds' | 'tried'>): string[] {
  return userIds.filter((userId) => !tried.includes(userId));
}

/** @param isLast whether members who failed count as failed for good, if everybody has been tried */
export function settled(part: Part, outcomes: ReadonlyMap<string, Outcome>, isLast: boolean): Settled {
  const count = (wanted: Outcome) => part.userIds.filter((userId) => outcomes.get(userId) === wanted).length;
  const left = part.userIds.filter((userId) => !isSettled(outcomes.get(userId)));
  const isLeft = (userId: string) => left.includes(userId);
  const failedNow = left.filter((userId) => outcomes.get(userId) === 'failed');
  const before = part.tried.filter((userId) => isLeft(userId) && !failedNow.includes(userId));
  const tried = [...before, ...failedNow];
  const isGivenUp = part.isGivenUp || (isLast && tried.length === left.length);
  const openAfter = left.length > 0 && !isGivenUp ? 1 : 0;
  return {
    after: left.length === 0 ? null : { ...part, userIds: left, tried, isGivenUp, revision: part.revision + 1 },
    by: {
      posted: count('posted'),
      skipped: count('skipped'),
      failed: (isGivenUp ? left.length : 0) - (part.isGivenUp ? part.userIds.length : 0),
      open: openAfter - (part.isGivenUp ? 0 : 1),
    },
  };
}

function isSettled(outcome: Outcome | undefined): boolean {
  return outcome === 'posted' || outcome === 'skipped';
}

/** Whether it goes to a member of the group. */
export function isFor({ acceptedAt }: Pick<Broadcast, 'acceptedAt'>, since: string | null): boolean {
  return since !== null && since <= acceptedAt;
}

const dayMs = 86_400_000;
const dueDays = 30;

/** Who has not got it by then does not get it: it is said to the present. */
export function isOver({ acceptedAt }: Pick<Broadcast, 'acceptedAt'>, realNow: Date): boolean {
  return realNow.getTime() >= Date.parse(acceptedAt) + dueDays * dayMs;
}

/**
 * Others may put a broadcast, too. What it says is on the board of each member, who could not read the board if it were no text, and
 * no later message there has an earlier time.
 *
 * @param isDated false where somebody may set the clock of the business rules
 */
export function isPlanted(broadcast: Broadcast, realNow: Date, isDated: boolean): boolean {
  const { title, body, createdAt, acceptedAt } = broadcast;
  const isFit = [title, body].every((text) => typeof text === 'string') && [createdAt, acceptedAt].every(isTime);
  return !isFit || isToCome(acceptedAt, realNow) || (isDated && isToCome(createdAt, realNow));
}

/** When rows of a broadcast go, in seconds since 1970. A delivery outlives every message that could repeat it. */
export function expiries({ acceptedAt }: Pick<Broadcast, 'acceptedAt'>) {
  const inDays = (days: number) => Math.floor((Date.parse(acceptedAt) + days * dayMs) / 1000);
  return { part: inDays(dueDays), delivery: inDays(2 * dueDays), broadcast: inDays(365) };
}
