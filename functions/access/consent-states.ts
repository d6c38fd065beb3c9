import { endAfter } from '../../lib/contract/accounts.ts';
import { isRecordTime } from '../../lib/contract/instant.ts';
import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';

/** What every check of a look at a person's data reads of a consent. `consents` owns both tables. */

/** Consent records; `userAgreement` is `<userId>#<agreementId>`, `recordedAt` strictly increases within it. */
export const ConsentRecords = table<RecordRow>()('ConsentRecords', {
  partitionKey: 'userAgreement',
  sortKey: 'recordedAt',
  ledger: {
    attributes: [
      'userAgreement',
      'recordedAt',
      'userId',
      'agreementId',
      'sequence',
      'recordId',
      'action',
      'versionId',
      'contentHash',
      'locale',
      'localeSource',
      'appVersion',
      'requestId',
      'source',
      'previousHash',
      'hash',
    ],
  },
  stream: true,
  expires: true,
});
export type ConsentRecords<A extends Action> = Handle<typeof ConsentRecords, A>;

/** The latest consent record of each user and agreement: the pointer to it. */
export const ConsentStates = table<ConsentState>()('ConsentStates', {
  partitionKey: 'userId',
  sortKey: 'agreementId',
  stream: true,
});
export type ConsentStates<A extends Action> = Handle<typeof ConsentStates, A>;

/** What the latest record of a user and an agreement says. */
export type ConsentState = {
  userId: string;
  agreementId: string;
  recordedAt: string;
  sequence: number;
  recordId: string;
  action: 'agreed' | 'revoked';
  versionId: string;
  contentHash: string;
  locale: string;
  localeSource: 'stated' | 'negotiated';
  hash: string;
};

/**
 * One entry of the ledger, final in its form: `hash` is the SHA-256 (lower-case hex) over the canonical JSON (RFC 8785)
 * of the record without `hash` and without `expiresAt`, and covers `previousHash`, so each record proves all records
 * before it.
 */
export type ConsentRecord = ConsentState & {
  appVersion: string | null;
  requestId: string;
  source: 'user' | 'imported';
  previousHash: string | null;
};

/** `expiresAt` in seconds since 1970: absent while the record is kept. */
type RecordRow = ConsentRecord & { userAgreement: string; expiresAt?: number };

/** Counts, under the dimension `application`, whose pointer and newest record were not the same, or whose account was in doubt; an alarm rings at each. */
export const consentsInDoubt = 'consentsInDoubt';

/** The alarm's impact. In each application one consumer has the alarm, and any function may count. */
export const consentInDoubtMeans =
  "Pointer and newest record of a patient's consent differ, or the account's ends are no times: somebody wrote one of them with the rights of a function, and staff do not see the patient's data";

type Recorded = { readonly action: 'agreed' | 'revoked'; readonly recordedAt: string };

/** @param ends the account's ends, in order: each ended all consents that had been given until then */
export function isConsenting<S extends Recorded>(state: S | null, ends: readonly string[]): state is S {
  return state?.action === 'agreed' && endAfter(state.recordedAt, ends) === null;
}

/** What a pointer and its record both say, as far as the check of a look depends on it. */
const compared = [
  'userId',
  'agreementId',
  'recordedAt',
  'sequence',
  'recordId',
  'action',
  'versionId',
  'hash',
] as const;

type Stored = { readonly [Name in (typeof compared)[number]]?: unknown };

/** Whether the pointer shows this record. Both may be missing: nobody ever consented. A row that lacks something is no record. */
export function isShownBy(pointer: Stored | null, record: Stored | null): boolean {
  if (pointer === null || record === null) return pointer === record;
  return compared.every((name) => pointer[name] === record[name] && isWhole(name, record[name]));
}

/** Whether a row of the ledger has what its place in the chain is made of. Otherwise somebody put it there, or over a record. */
export function isRecord({ hash, sequence }: Stored): boolean {
  return isWhole('hash', hash) && isWhole('sequence', sequence);
}

function isWhole(name: string, value: unknown): boolean {
  if (name === 'recordedAt') return isRecordTime(value);
  // Behind each there is a number for the record that follows.
  if (name === 'sequence')
    return Number.isSafeInteger(value) && Number(value) >= 1 && value !== Number.MAX_SAFE_INTEGER;
  return typeof value === 'string' && value !== '';
}

/** Of a pointer and a record around a commit: the later time, which is that of the record that both have to say. */
export function laterTime(...rows: readonly (Stored | null)[]): string | null {
  const times = rows.map((row) => row?.recordedAt).filter(isRecordTime);
  return times.toSorted().at(-1) ?? null;
}
