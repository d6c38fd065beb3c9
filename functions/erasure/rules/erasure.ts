import type { Account } from '../../../lib/contract/accounts.ts';
import { skewMs } from '../../../lib/contract/instant.ts';
import { stepDue } from './due.ts';
import type { Chain, Erasure, LegalHold, Times } from './state.ts';

/**
 * The rules of an account's erasure: requested → settled → (the grace) → sign-in closing, closed → begun → erased → released.
 * Until sign-in is closed the request can be taken back. A legal hold stops an erasure that has not begun. Each rule
 * takes a state and returns the next state. If the rule does not apply, it returns the same object, so a repeated step
 * changes nothing. Pure: times are arguments.
 */

/**
 * Years from the erasure for which consent records stay: a claim for damages can be made for ten years at most (German
 * Civil Code § 199 (3) no. 1), and consent is for the controller to prove (GDPR Art. 7 (1), 17 (3) e).
 */
export const retentionYears = 10;

/**
 * The time from setting the expiry of records until they expire. It is long, so that after a crash all records of a
 * chain get an expiry before the first one expires.
 */
const releaseDays = 7;

const dayMs = 86_400_000;
/** A run ends within Lambda's fifteen minutes. If it has not stored its evidence by then, it never will. */
const longestRunMs = 16 * 60_000;

/**
 * Nobody changes their mind so often. The limit is needed because nobody can remove evidence, and each restoration
 * reads all of it.
 */
const requestsADay = 20;

/** @param laid when the evidence of each of the user's requests was stored @returns the latest of them, as many as matter */
export function ofTheLastDay(laid: ReadonlyMap<string, Date>, now: Date): string[] {
  const times = [...laid].flatMap(([requestedAt, at]) => (at.getTime() > now.getTime() - dayMs ? [requestedAt] : []));
  return times.toSorted().slice(-requestsADay);
}

/** @param decisions about requests of the last day */
export function areTooMany(decisions: ReadonlyMap<string, unknown>): boolean {
  return decisions.size >= requestsADay;
}

export function erasureKeyOf(userId: string) {
  return { kind: 'user', erasureKey: userId } as const;
}

/** The state of a user for whom nothing is decided yet. */
export function nothing(userId: string): Erasure {
  return {
    userId,
    application: null,
    revision: 0,
    requestedAt: null,
    endedAt: null,
    settledAt: null,
    signedOutAt: null,
    witnessedAt: null,
    graceEndsAt: null,
    restoredAt: null,
    ends: [],
    closingAt: null,
    closedAt: null,
    accessEndsAt: null,
    begunAt: null,
    heldBackAt: null,
    erasedAt: null,
    retainUntil: null,
    releasedAt: null,
    recordsExpireAt: null,
    chains: null,
    tombstone: null,
    legalHold: null,
    holdChangedAt: null,
    pending: null,
  };
}

export function requested(
  before: Erasure | null,
  { userId, application, times: { now, businessNow }, graceDays, asked = now }: ErasureRequest,
): Erasure {
  if (before?.requestedAt) return before;
  return {
    ...(before ?? nothing(userId)),
    application,
    requestedAt: asked.toISOString(),
    endedAt: (asked > businessNow ? asked : businessNow).toISOString(),
    graceEndsAt: new Date(businessNow.getTime() + graceDays * dayMs).toISOString(),
  };
}

/** `asked`: the request's own time, which identifies it in the evidence. The default is the real time. */
export type ErasureRequest = { userId: string; application: string; times: Times; graceDays: number; asked?: Date };

/**
 * The time of a new request. It is later than all earlier requests and restorations, even if the clocks of two hosts
 * differ, because the evidence identifies a request by its time. But it goes no further ahead than clocks can differ.
 * Otherwise a planted row or object with a late time could keep a user from making a request.
 *
 * @param asked the times of the user's requests in the evidence
 */
export function momentAfter(now: Date, restoredAt: string | null, asked: readonly string[]): Date {
  const earlier = [...asked, restoredAt ?? ''].map((time) => Date.parse(time));
  const known = earlier.filter((time) => time <= now.getTime() + skewMs);
  return new Date(known.reduce((latest, time) => Math.max(latest, time + 1), now.getTime()));
}

/**
 * The request is committed, and nothing more can be written for the user. A write that was under way may have a time
 * after the request. So the end is now or the time of the last record, whichever is later.
 *
 * @param lastRecordAt the time of the latest record of any agreement; null if there is none
 */
export function settled(before: Erasure, lastRecordAt: string | null, { now, businessNow }: Times): Erasure {
  const { requestedAt, endedAt, signedOutAt, closedAt, ends } = before;
  if (!requestedAt || before.settledAt) return before;
  // After a restore from a backup the end is known, but there may be newer records.
  const isKnown = signedOutAt !== null || closedAt !== null;
  const times = isKnown ? [] : [now.toISOString(), businessNow.toISOString()];
  const end = [endedAt ?? requestedAt, lastRecordAt ?? '', ...times].toSorted().at(-1) ?? requestedAt;
  // If nothing was recorded after the last end, this end has ended nothing.
  const isNew = lastRecordAt !== null && lastRecordAt > (ends.at(-1) ?? '');
  return { ...before, endedAt: end, settledAt: now.toISOString(), ends: isNew ? [...ends, end] : ends };
}

export function signedOut(before: Erasure, now: Date): Erasure {
  return before.requestedAt && !before.signedOutAt ? { ...before, signedOutAt: now.toISOString() } : before;
}

/** The row of the account that all functions read; null if the account was never closed. */
export function accountOf({ requestedAt, endedAt, ends }: Erasure): Account | null {
  const isClosed = requestedAt !== null;
  const all = [...new Set([...ends, ...(endedAt === null ? [] : [endedAt])])].toSorted();
  return isClosed || all.length > 0 ? { isClosed, ends: all } : null;
}

/**
 * Whether the account has its guard rows. After the erasure it needs none, because no valid token is left to write
 * with.
 */
export function hasGuards(erasure: Erasure | null): boolean {
  return Boolean(erasure?.requestedAt) && !isErased(erasure);
}

function isErased(erasure: Erasure | null): boolean {
  return erasure?.erasedAt != null && erasure.pending !== 'erasure';
}

/** Written before sign-in is closed. It decides whether the closing or a restoration comes first. */
export function closing(before: Erasure, times: Times): Erasure {
  if (before.closingAt || stepDue(before, times) !== 'close') return before;
  return { ...before, closingAt: times.now.toISOString() };
}

/** @param accessSeconds how long a token is accepted that was issued at the last moment */
export function closed(before: Erasure, now: Date, accessSeconds: number): Erasure {
  if (!before.closingAt || before.closedAt) return before;
  const accessEndsAt = new Date(now.getTime() + accessSeconds * 1000).toISOString();
  return { ...before, closedAt: now.toISOString(), accessEndsAt };
}

export function begun(before: Erasure, times: Times): Erasure {
  if (before.begunAt || stepDue(before, times) !== 'erase') return before;
  return { ...before, begunAt: times.now.toISOString(), pending: 'erasure' };
}

/**
 * Takes the beginning back, because a hold was first and nothing was erased yet. This is not possible while the run
 * that began may still be under way, since it would erase held data.
 */
export function notBegun(before: Erasure, now: Date): Erasure {
  if (before.pending !== 'erasure' || !before.legalHold) return before;
  if (Date.parse(before.begunAt ?? '') > now.getTime() - longestRunMs) return before;
  return { ...before, begunAt: null, heldBackAt: now.toISOString(), pending: null };
}

export function erased(before: Erasure, now: Date): Erasure {
  if (before.pending !== 'erasure') return before;
  const erasedAt = before.erasedAt ?? now.toISOString();
  const retainUntil = before.retainUntil ?? yearsAfter(erasedAt, retentionYears);
  // After a restore, the records of a user may be back although they were released before.
  return { ...before, erasedAt, retainUntil, pending: before.releasedAt ? 'release' : null };
}

export type Seal = { chains: Chain[]; tombstone: string; releasedAt: Date };

export function released(before: Erasure, times: Times, { chains, tombstone, releasedAt }: Seal): Erasure {
  if (before.releasedAt || stepDue(before, times) !== 'release') return before;
  return {
    ...before,
    releasedAt: releasedAt.toISOString(),
    recordsExpireAt: expiryOf(releasedAt).toISOString(),
    chains,
    tombstone,
    pending: 'release',
  };
}

export function expiryOf(releasedAt: Date): Date {
  return new Date(releasedAt.getTime() + releaseDays * dayMs);
}

export function carriedOut(before: Erasure): Erasure {
  return before.pending === 'release' ? { ...before, pending: null } : before;
}

/** @returns null if there is nothing left to hold */
export function held(
  before: Erasure | null,
  { userId, application, ...hold }: LegalHold & { userId: string; application: string | null },
): Erasure | null {
  if (before?.releasedAt) return null;
  if (before?.legalHold?.reason === hold.reason) return before;
  const { since, by, reason } = hold;
  const known = before ?? { ...nothing(userId), application };
  // With another reason it is still the same hold, without any gap.
  return { ...known, legalHold: { since: known.legalHold?.since ?? since, by, reason }, holdChangedAt: since };
}

export function lifted(before: Erasure, now: Date): Erasure {
  return before.legalHold ? { ...before, legalHold: null, holdChangedAt: now.toISOString() } : before;
}

export type Status = 'none' | 'requested' | 'held' | 'erased' | 'released';

export function statusOf(erasure: Erasure | null): Status {
  if (!erasure) return 'none';
  if (erasure.releasedAt) return 'released';
  if (erasure.legalHold) return 'held';
  if (erasure.erasedAt) return 'erased';
  return erasure.requestedAt ? 'requested' : 'none';
}

export function yearsAfter(time: string, years: number): string {
  const date = new Date(time);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return date.toISOString();
}
