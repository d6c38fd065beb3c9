import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { isRecordTime } from '../../../lib/contract/instant.ts';
import type { ConsentRecord, ConsentState } from '../../access/consent-states.ts';
import { type Change, nextRecordedAt } from './consent.ts';

export type Circumstances = {
  userId: string;
  agreementId: string;
  now: Date;
  /** The end of the account; the record must be later than it, whatever the clock says. */
  after?: string | null;
  recordId: string;
  requestId: string;
  /** `user`, or `imported` for a record from another system. */
  source?: ConsentRecord['source'];
};

/** The ledger's partition of a chain: neither id has a `#` in it. */
export function partitionOf({ userId, agreementId }: { userId: string; agreementId: string }): string {
  return `${userId}#${agreementId}`;
}

/** The record that follows `previous` in the chain of one user and one agreement. */
export function nextRecord(previous: ConsentState | null, change: Change, at: Circumstances): ConsentRecord {
  const { userId, agreementId, now, recordId, requestId, source = 'user', after = null } = at;
  const last = [previous?.recordedAt ?? null, after].filter(isRecordTime).toSorted().at(-1) ?? null;
  const { action, versionId, contentHash, locale, localeSource, appVersion } = change;
  const unsealed = {
    userId,
    agreementId,
    recordedAt: nextRecordedAt(last, now),
    sequence: (previous?.sequence ?? 0) + 1,
    recordId,
    action,
    versionId,
    contentHash,
    locale,
    localeSource,
    appVersion,
    requestId,
    source,
    previousHash: previous?.hash ?? null,
  };
  return { ...unsealed, hash: hashOf(unsealed) };
}

/** @param record with or without its `hash` and `expiresAt`, which are not hashed; all other fields are */
export function hashOf(record: Readonly<Record<string, unknown>>): string {
  const { hash: _hash, expiresAt: _expiresAt, ...covered } = record;
  return createHash('sha256')
    .update(canonicalize(covered) as string)
    .digest('hex');
}

/** The pointer to the latest record: the fields that the next decision and the list need. */
export function stateOf(record: ConsentRecord): ConsentState {
  const { appVersion: _a, requestId: _r, source: _s, previousHash: _p, ...state } = record;
  return state;
}
