import { isTime } from '../../../lib/contract/instant.ts';
import type { Erasure } from './state.ts';

/**
 * Whether a row has the form of a state. More than one function writes states, and IAM checks no types. So a planted
 * row may contain anything.
 */
export function isErasure(value: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(forms).every(([name, fits]) => fits(value[name]));
}

type Fits = (value: unknown) => boolean;

const isText: Fits = (value) => typeof value === 'string';
const isCount: Fits = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** No user's state changes so often. A higher revision was planted, and could not be increased any more. */
const highestRevision = 1e9;
const orNull =
  (fits: Fits): Fits =>
  (value) =>
    value === null || fits(value);
const listOf =
  (fits: Fits): Fits =>
  (value) =>
    Array.isArray(value) && value.every(fits);
const having =
  (parts: Readonly<Record<string, Fits>>): Fits =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(parts).every(([name, fits]) => fits((value as Record<string, unknown>)[name]));

const chain = having({ agreementId: isText, records: isCount, lastSequence: isCount, lastHash: isText });
const hold = having({ since: isTime, by: isText, reason: isText });

const forms: { readonly [F in keyof Erasure]: Fits } = {
  userId: isText,
  application: orNull(isText),
  revision: (value) => isCount(value) && Number(value) <= highestRevision,
  requestedAt: orNull(isTime),
  endedAt: orNull(isTime),
  settledAt: orNull(isTime),
  signedOutAt: orNull(isTime),
  witnessedAt: orNull(isTime),
  graceEndsAt: orNull(isTime),
  restoredAt: orNull(isTime),
  ends: listOf(isTime),
  closingAt: orNull(isTime),
  closedAt: orNull(isTime),
  accessEndsAt: orNull(isTime),
  begunAt: orNull(isTime),
  heldBackAt: orNull(isTime),
  erasedAt: orNull(isTime),
  retainUntil: orNull(isTime),
  releasedAt: orNull(isTime),
  recordsExpireAt: orNull(isTime),
  chains: orNull(listOf(chain)),
  tombstone: orNull(isText),
  legalHold: orNull(hold),
  holdChangedAt: orNull(isTime),
  pending: (value) => value === null || value === 'erasure' || value === 'release',
};
