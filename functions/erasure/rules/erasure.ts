import type { Account } from '../../../lib/contract/accounts.ts';
import { stepDue } from './due.ts';

/**
 * The rules of an account's erasure: requested → settled → (the grace) → sign-in closing, closed → begun → erased → released.
 * Until sign-in is closed the request can be taken back. A legal hold stops what has not begun. Each rule takes a state and
 * answers the next one, or the very same where it does not apply, so that a step done again changes nothing. Pure: times are
 * arguments.
 */

/** By an administrator; `reason` is the reference of a case. */
export type LegalHold = { since: string; by: string; reason: string };

/** What a user's chain of records was when it was released. */
export type Chain = { agreementId: string; records: number; lastSequence: number; lastHash: string };

/** A row for each user with an erasure or a hold. No personal data: it stays when all else is gone. */
export type Erasure = {
  userId: string;
  /** Null where only records are known of the user, who was put under a hold. */
  application: string | null;
  /** Counts the changes: nothing is written that was decided on an older state. */
  revision: number;
  /** Of the request that stands; null again when it was taken back, as all that follows from it. */
  requestedAt: string | null;
  /** Every consent ended then, and nothing is written for the user any more. No record is later. */
  endedAt: string | null;
  /** From then on `endedAt` is final. */
  settledAt: string | null;
  /** Sessions were ended then; who signs in anew has one. */
  signedOutAt: string | null;
  /** What erases first saw the request then, closed the account itself, and laid that where S3 dates it: the grace counts from there. */
  witnessedAt: string | null;
  /** Until then the request can be taken back, by the business rules' time. */
  graceEndsAt: string | null;
  /** When a request was last taken back. */
  restoredAt: string | null;
  /** Each `endedAt` that there ever was, where consents ended by it, in order: they stay ended. */
  ends: string[];
  /** From then on the request stands for good. */
  closingAt: string | null;
  /** Sign-in and renewal were refused from then on. */
  closedAt: string | null;
  /** No access token is valid any more. */
  accessEndsAt: string | null;
  /** From then on it goes on to its end, whatever is asked: half of an account is of use to nobody. */
  begunAt: string | null;
  /** When a beginning was last taken back, as a hold had come first: none until then counts. */
  heldBackAt: string | null;
  erasedAt: string | null;
  /** The records are evidence until then. */
  retainUntil: string | null;
  releasedAt: string | null;
  /** The one day on which all records of the user go. */
  recordsExpireAt: string | null;
  chains: Chain[] | null;
  /** The signed statement of what was released: a JWS. */
  tombstone: string | null;
  legalHold: LegalHold | null;
  /** When it was placed, changed or lifted: of two states the later one's counts. */
  holdChangedAt: string | null;
  /** What was decided and is to be carried out, perhaps again: its end may not have been reached. */
  pending: 'erasure' | 'release' | null;
};

/** Real time is that of tokens, business time that of grace and retention: the time machine moves it. */
export type Times = { now: Date; businessNow: Date };

/**
 * Years from the erasure for which consent records stay: a claim for damages can be made for ten years at most (German
 * Civil Code § 199 (3) no. 1), and consent is for the controller to prove (GDPR Art. 7 (1), 17 (3) e).
 */
export const retentionYears = 10;

/** Between the setting of the records' expiry and the expiry: a crash on the way must not leave a part of a chain. */
const releaseDays = 7;

const dayMs = 86_400_000;
/** Hosts keep time within seconds. */
const clockSkewMs = 60_000;
/** A run ends within Lambda's fifteen minutes: what it decided and did not lay by then it never will. */
const longestRunMs = 16 * 60_000;

/** Nobody changes their mind so often; what lies in the evidence nobody removes, and each restoration looks at all of it. */
const requestsADay = 20;

/** @param laid when each of the user's requests was laid */
export function areTooMany(laid: Iterable<Date>, now: Date): boolean {
  return [...laid].filter((at) => at.getTime() > now.getTime() - dayMs).length >= requestsADay;
}

export function erasureKeyOf(userId: string) {
  return { kind: 'user', erasureKey: userId } as const;
}

/** Also what a row or an object of the log that is older than a field has in its place. */
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
  { userId, application, times: { now, businessNow }, graceDays, asked = now }: Asked,
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

/** `asked`: the request's own time, by which evidence tells it apart; the real one unless given. */
export type Asked = { userId: string; application: string; times: Times; graceDays: number; asked?: Date };

/**
 * A request is later than those before it, and than when they were taken back, whatever two hosts' clocks say: evidence tells them
 * apart by that. Not by more than clocks differ: a row or an object that says more is not to keep anybody from asking.
 *
 * @param asked the times of the user's requests that lie in the evidence
 */
export function momentAfter(now: Date, restoredAt: string | null, asked: readonly string[]): Date {
  const earlier = [...asked, restoredAt ?? ''].map((time) => Date.parse(time));
  const known = earlier.filter((time) => time <= now.getTime() + clockSkewMs);
  return new Date(known.reduce((latest, time) => Math.max(latest, time + 1), now.getTime()));
}

/**
 * The request is committed, and nothing can be written for the user any more. What was under way at the request may be dated
 * after it; so the end is now, or the last record, which another host's clock may have dated.
 *
 * @param lastRecordAt of all agreements; null where there is none
 */
export function settled(before: Erasure, lastRecordAt: string | null, { now, businessNow }: Times): Erasure {
  const { requestedAt, endedAt, signedOutAt, closedAt, ends } = before;
  if (!requestedAt || before.settledAt) return before;
  // After a restore from a backup the end is known, but for what was recorded since.
  const isKnown = signedOutAt !== null || closedAt !== null;
  const times = isKnown ? [] : [now.toISOString(), businessNow.toISOString()];
  const end = [endedAt ?? requestedAt, lastRecordAt ?? '', ...times].toSorted().at(-1) ?? requestedAt;
  // Where nothing was recorded since the last end, it ended nothing.
  const isNew = lastRecordAt !== null && lastRecordAt > (ends.at(-1) ?? '');
  return { ...before, endedAt: end, settledAt: now.toISOString(), ends: isNew ? [...ends, end] : ends };
}

export function signedOut(before: Erasure, now: Date): Erasure {
  return before.requestedAt && !before.signedOutAt ? { ...before, signedOutAt: now.toISOString() } : before;
}

/** What all functions ask of the account; null where it was never closed. */
export function accountOf({ requestedAt, endedAt, ends }: Erasure): Account | null {
  const isClosed = requestedAt !== null;
  const all = [...new Set([...ends, ...(endedAt === null ? [] : [endedAt])])].toSorted();
  return isClosed || all.length > 0 ? { isClosed, ends: all } : null;
}

/** Whether the account's guards stand. When it is erased, no token is left that anything could be written with. */
export function hasGuards(erasure: Erasure | null): boolean {
  return Boolean(erasure?.requestedAt) && !isErased(erasure);
}

function isErased(erasure: Erasure | null): boolean {
  return erasure?.erasedAt != null && erasure.pending !== 'erasure';
}

/** Written before sign-in is closed: of it and a restoration one is first. */
export function closing(before: Erasure, times: Times): Erasure {
  if (before.closingAt || stepDue(before, times) !== 'close') return before;
  return { ...before, closingAt: times.now.toISOString() };
}

/** @param accessSeconds how long a token that was issued at the last moment opens anything */
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
 * A hold came first after all, and nothing was erased yet. Not while the run that has begun may be under way: it would erase
 * what is being held.
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
  // After a restore the records of a user who was released before are back, too.
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

/** @returns null where there is nothing left to hold */
export function held(
  before: Erasure | null,
  { userId, application, ...hold }: LegalHold & { userId: string; application: string | null },
): Erasure | null {
  if (before?.releasedAt) return null;
  if (before?.legalHold?.reason === hold.reason) return before;
  const { since, by, reason } = hold;
  const known = before ?? { ...nothing(userId), application };
  // Another reason is of the same hold: it was on all the time.
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
