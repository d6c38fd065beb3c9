/** The rules of a personal export: pending → running → done or failed. Pure: times are arguments, and real ones. */

import { isTime, isToCome } from '../../../lib/contract/instant.ts';

const statuses = ['pending', 'running', 'done', 'failed'] as const;

/** How much of an export is gathered. */
export type Progress = {
  /** Names what is gathered in which order: a release may change that under an export that is being made. */
  plan: string;
  /** The source that is being read, by its number in the plan; as many as it has: all are. */
  source: number;
  /** In that source; null: from its start. */
  position: unknown;
  /** By file: how many parts of it lie in the bucket. */
  parts: Record<string, number>;
  /** By source: how many rows of it are in them. */
  rows: Record<string, number>;
};

export type PersonalExport = {
  userId: string;
  exportId: string;
  application: string;
  status: (typeof statuses)[number];
  requestedAt: string;
  finishedAt: string | null;
  /** When something of it was last done. */
  progressAt: string;
  /** Until then one function works on it, and no other begins. */
  leaseEndsAt: string | null;
  /** Of the last claim. Two functions can claim it in the same millisecond: without it, each would take the other's claim for its own. */
  claimId?: string;
  /** Counts the changes: nothing is written that was decided on an older state. */
  revision: number;
  progress: Progress | null;
  sizeBytes: number | null;
  /** Seconds since 1970. */
  expiresAt: number;
};

/** From its first step on, `made` says all of the row once more: whoever asks for exports may write the rest. */
export type ExportRow = PersonalExport & { readonly made?: Omit<PersonalExport, 'userId' | 'exportId'> };

/** Which export was asked for last. */
export type Latest = {
  readonly userId: string;
  readonly exportId: string;
  readonly latestId: string;
  readonly expiresAt: number;
};

const keptDays = 7;
export const perDay = 5;
const linkSeconds = 15 * 60;

/** Nothing was done for so long: nobody will. Longer than all deliveries of a message take. */
const givenUpAfterMs = 2 * 3_600_000;
const dayMs = 86_400_000;

export type Asking = { userId: string; application: string; now: Date; random: string };

/** @param asking.random eight or more hexadecimal digits, which make the id unique */
export function asked({ userId, application, now, random }: Asking): PersonalExport {
  const requestedAt = now.toISOString();
  return {
    userId,
    exportId: `${idTimeOf(requestedAt)}-${random.slice(0, 8)}`,
    application,
    status: 'pending',
    requestedAt,
    finishedAt: null,
    progressAt: requestedAt,
    leaseEndsAt: null,
    revision: 1,
    progress: null,
    sizeBytes: null,
    expiresAt: expiryAfter(now),
  };
}

/** What ids of that time begin with: their texts sort by it. */
export function idTimeOf(time: string): string {
  return time.replace(/[-:.]/g, '');
}

/** Whether a request wrote it like this: whoever asks for exports may write any row. */
export function isExport(row: Partial<Record<keyof PersonalExport, unknown>>, now: Date): row is PersonalExport {
  const { exportId, status, requestedAt, finishedAt, progressAt, leaseEndsAt, revision, sizeBytes, expiresAt } = row;
  const isOfItsTime = isTime(requestedAt) && String(exportId).startsWith(`${idTimeOf(requestedAt)}-`);
  const areTimes = [finishedAt, leaseEndsAt].every((time) => time === null || isTime(time)) && isTime(progressAt);
  const areNumbers = [revision, sizeBytes ?? 0, expiresAt].every(Number.isInteger);
  const isStatus = statuses.some((one) => one === status);
  return isOfItsTime && areTimes && areNumbers && isStatus && Number(expiresAt) <= expiryAfter(now) + 60;
}

function expiryAfter(now: Date): number {
  return Math.ceil((now.getTime() + keptDays * dayMs) / 1000);
}

/** DynamoDB deletes rows some time after their expiry, S3 objects at a midnight: this is when nobody is shown them any more. */
export function isExpired({ expiresAt }: PersonalExport, now: Date): boolean {
  return expiresAt * 1000 <= now.getTime();
}

/** Seconds that an address lives, which is not longer than what is there. */
export function linkSecondsAt({ expiresAt }: PersonalExport, now: Date): number {
  return Math.max(1, Math.min(linkSeconds, expiresAt - Math.ceil(now.getTime() / 1000)));
}

function isOpen({ status }: PersonalExport): boolean {
  return status === 'pending' || status === 'running';
}

/** It is open, and nobody works on it any more, so that it ends by itself. What was done at a time to come, nobody did. */
function isGivenUp(row: PersonalExport, now: Date): boolean {
  const isLongAgo = now.getTime() - Date.parse(row.progressAt) > givenUpAfterMs;
  return isOpen(row) && (isLongAgo || isToCome(row.progressAt, now));
}

/** What its person is shown of it. */
export function shown(row: PersonalExport, now: Date) {
  const { exportId, requestedAt, expiresAt } = row;
  const { status, finishedAt, sizeBytes } = isGivenUp(row, now) ? failed(row, now) : row;
  const until = new Date(expiresAt * 1000).toISOString();
  return { exportId, status, requestedAt, finishedAt, expiresAt: until, sizeBytes };
}

export type Request =
  | { outcome: 'open'; row: PersonalExport }
  | { outcome: 'refused'; possibleAt: string }
  | { outcome: 'new' };

/** @param latest at least as many as a day allows, newest first */
export function decideRequest(latest: readonly PersonalExport[], now: Date): Request {
  const open = latest.find((row) => isOpen(row) && !isGivenUp(row, now));
  if (open) return { outcome: 'open', row: open };
  const possibleFrom = latest.map(({ requestedAt }) => Date.parse(requestedAt) + dayMs)[perDay - 1] ?? 0;
  if (possibleFrom > now.getTime()) return { outcome: 'refused', possibleAt: new Date(possibleFrom).toISOString() };
  return { outcome: 'new' };
}

export type Claim =
  | { outcome: 'over' }
  | { outcome: 'busy' }
  | { outcome: 'given-up'; after: PersonalExport }
  | { outcome: 'claimed'; after: PersonalExport };

/** @param until when the function that claims it will have ended, whatever happens */
export function claimed(row: PersonalExport, now: Date, until: Date, claimId: string): Claim {
  if (!isOpen(row)) return { outcome: 'over' };
  if (isGivenUp(row, now)) return { outcome: 'given-up', after: failed(row, now) };
  if (row.leaseEndsAt !== null && Date.parse(row.leaseEndsAt) > now.getTime()) return { outcome: 'busy' };
  const after = { ...row, status: 'running' as const, leaseEndsAt: until.toISOString(), claimId };
  return { outcome: 'claimed', after: next(after, now) };
}

/** What was gathered was put into the bucket. `leaves`: another invocation goes on. */
export function progressed(row: PersonalExport, progress: Progress, now: Date, leaves: boolean): PersonalExport {
  return next({ ...row, progress, ...(leaves && { leaseEndsAt: null }) }, now);
}

export function done(row: PersonalExport, sizeBytes: number, now: Date): PersonalExport {
  const finishedAt = now.toISOString();
  const after = { ...row, status: 'done' as const, finishedAt, sizeBytes, progress: null, leaseEndsAt: null };
  return next({ ...after, expiresAt: expiryAfter(now) }, now);
}

export function failed(row: PersonalExport, now: Date): PersonalExport {
  const after = { ...row, status: 'failed' as const, finishedAt: now.toISOString(), progress: null, leaseEndsAt: null };
  return next(after, now);
}

function next(row: PersonalExport, now: Date): PersonalExport {
  return { ...row, revision: row.revision + 1, progressAt: now.toISOString() };
}
