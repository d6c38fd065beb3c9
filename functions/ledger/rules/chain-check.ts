import { isId } from '../../../lib/contract/id.ts';
import { hashOf, partitionOf } from '../../consents/rules.ts';
import { type Finding, findingOf, type StoredRecord } from './finding.ts';

/**
 * Rows with content. An update of a missing row makes a row with only its key and expiry: a role that may set expiries can
 * put such rows between records. They do not break a chain.
 */
export function recordsIn(rows: readonly StoredRecord[]): readonly StoredRecord[] {
  return rows.some(isPlanted) ? rows.filter((row) => !isPlanted(row)) : rows;
}

const ofEveryRow = ['userAgreement', 'recordedAt', 'expiresAt'];

function isPlanted(row: StoredRecord): boolean {
  return Object.keys(row).every((name) => ofEveryRow.includes(name));
}

/**
 * The rules of one chain (decision 2). They do not restrict the order of actions: after a consent, a revocation and
 * another consent are both allowed.
 *
 * @param rows all of the partition, in the order of their keys
 */
export function checkChain(userAgreement: string, rows: readonly StoredRecord[]): Finding[] {
  const says = 'a row that has only its key: no consent writes such a row, but an update of a missing row does';
  const planted = rows.filter(isPlanted).map((row) => findingOf('row-planted', userAgreement, row, says));
  const records = recordsIn(rows);
  const checked = records.flatMap((record, index) => [
    ...checkRecord(userAgreement, record),
    ...checkStep(userAgreement, records[index - 1], record),
  ]);
  return [...planted, ...checked];
}

/** Findings about a record by itself. */
function checkRecord(userAgreement: string, record: StoredRecord): Finding[] {
  const found = (kind: Finding['kind'], says: string) => findingOf(kind, userAgreement, record, says);
  const findings: Finding[] = [];
  if (!isWellFormed(record)) {
    return [found('record-malformed', 'a row that is no consent record: no number, time or hash where one belongs')];
  }
  const { userAgreement: _key, ...covered } = record;
  const computed = hashOf(covered);
  if (computed !== record.hash) {
    findings.push(
      found('record-altered', `its hash is ${computed} by what it says, and ${record.hash} by its own account`),
    );
  }
  if (!isInItsPlace(userAgreement, record)) {
    findings.push(found('record-misplaced', `it is a record of ${record.userId}, ${record.agreementId}`));
  }
  if (!isReadable(record)) {
    findings.push(
      found('record-malformed', 'no answer can show it: a value has another type or form than in a consent'),
    );
  }
  if (record.expiresAt !== undefined) {
    findings.push(found('record-expires', 'it is about to expire, and no tombstone says that it may'));
  }
  return findings;
}

/** Findings about a record after its predecessor. */
function checkStep(userAgreement: string, before: StoredRecord | undefined, record: StoredRecord): Finding[] {
  const found = (kind: Finding['kind'], says: string) => findingOf(kind, userAgreement, record, says);
  const expected = before === undefined ? 1 : sequenceOf(before) + 1;
  const sequence = sequenceOf(record);
  if (sequence > expected) {
    const missing = sequence - expected === 1 ? `record ${expected} is` : `records ${expected} to ${sequence - 1} are`;
    // Reported only for the first missing record.
    return [{ ...found('record-missing', `${missing} not there, before this one`), sequence: expected }];
  }
  if (sequence < expected) {
    return [found('record-out-of-order', `it is number ${sequence}, where number ${expected} belongs`)];
  }
  const [previousHash, hash] = [record.previousHash, before?.hash ?? null];
  if (previousHash === hash) return [];
  return [found('link-broken', `it follows the hash ${previousHash}, and its predecessor has ${hash}`)];
}

function sequenceOf({ sequence }: StoredRecord): number {
  return typeof sequence === 'number' ? sequence : 0;
}

/** A record of one user under another user's key would be in that user's history. */
export function isInItsPlace(userAgreement: unknown, { userId, agreementId }: StoredRecord): boolean {
  return partitionOf({ userId: String(userId), agreementId: String(agreementId) }) === userAgreement;
}

export function isWellFormed({ sequence, recordedAt, hash }: StoredRecord): boolean {
  return Number.isSafeInteger(sequence) && isTime(recordedAt) && typeof hash === 'string';
}

const sha256 = /^[0-9a-f]{64}$/;
const locale = /^(?=.{1,35}$)[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;
const fourDigits = /^\d{4}-/;
const isText = (value: unknown, form = /^/) => typeof value === 'string' && form.test(value);
const isOneOf = (value: unknown, words: readonly unknown[]) => words.includes(value);

/** Whether the values have the types and forms of a consent (`ConsentRecord` in functions/consents/schemas.ts): otherwise each list with it is 500. */
export function isReadable(record: StoredRecord): boolean {
  const { recordId, versionId, agreementId, contentHash, previousHash, hash, appVersion, requestId } = record;
  return (
    [recordId, versionId, agreementId].every(isId) &&
    [contentHash, hash].every((value) => isText(value, sha256)) &&
    (previousHash === null || isText(previousHash, sha256)) &&
    (appVersion === null || isText(appVersion)) &&
    isText(requestId) &&
    isText(record.recordedAt, fourDigits) &&
    isText(record.locale, locale) &&
    isOneOf(record.action, ['agreed', 'revoked']) &&
    isOneOf(record.localeSource, ['stated', 'negotiated']) &&
    isOneOf(record.source, ['user', 'imported'])
  );
}

/** In this form the order of the texts is the order of the times: if keys increase, times increase. */
function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;
}
