import { isDeepStrictEqual } from 'node:util';
import { isRecordTime } from '../../../lib/contract/instant.ts';
import { partitionOf } from '../../consents/rules.ts';
import { isChainName, type StoredPointer, type StoredRecord } from './finding.ts';

/** A change of a pointer, from the stream of `ConsentStates`. */
export type PointerChange = { readonly before: StoredPointer | null; readonly after: StoredPointer | null };

export type PointerSuspicion =
  /** The ledger has no record of that time. */
  | 'no-record'
  /** The record says something else. */
  | 'not-its-record'
  /** It skips a record, or goes back to an earlier one. */
  | 'out-of-order'
  /** The chain was not released. */
  | 'pointer-removed';

type RecordKey = { readonly userId: string; readonly agreementId: string; readonly recordedAt: string };

/** Where the record is that the change names: of a pointer that is removed, the one that it named. @returns null if none can be there */
export function recordKeyOf({ before, after }: PointerChange): RecordKey | null {
  const row = after ?? before ?? {};
  const [userId, agreementId, recordedAt] = [String(row.userId), String(row.agreementId), String(row.recordedAt)];
  const isKey = isChainName(partitionOf({ userId, agreementId })) && isRecordTime(recordedAt);
  return isKey ? { userId, agreementId, recordedAt } : null;
}

/** What every pointer says of its record. */
const always = ['userId', 'agreementId', 'recordedAt', 'sequence', 'recordId', 'action', 'versionId', 'hash'];

/** The check of a look compares no more, so what is shown may open data, whatever else is wrong with the change. */
function isShown(pointer: StoredPointer, record: StoredRecord): boolean {
  return always.every((name) => name in pointer && isDeepStrictEqual(pointer[name], record[name]));
}

/**
 * Whether the record is of its chain: the pointer shows it, or the next record has its hash. A record and its pointer are written in
 * one transaction, so of a record that the stream has, the pointer never shows less.
 *
 * @param next the record behind it by time; null if there is none
 */
export function isOfChain(record: StoredRecord, pointer: StoredPointer | null, next: StoredRecord | null): boolean {
  return (pointer !== null && isShown(pointer, record)) || next?.previousHash === record.hash;
}

/**
 * A pointer moves with each record of its chain, to that record, in one transaction. Records stay, so it does not matter how
 * late the change is read.
 */
export function judgePointer({ before, after }: PointerChange, record: StoredRecord | null): PointerSuspicion | null {
  if (after === null) return typeof record?.expiresAt === 'number' ? null : 'pointer-removed';
  if (record === null) return 'no-record';
  // A version that adds an attribute may add it to one of the two.
  const isSame = Object.entries(after).every(([name, value]) => isDeepStrictEqual(value, record[name]));
  if (!isSame || !isShown(after, record)) return 'not-its-record';
  if (before !== null && after.sequence !== Number(before.sequence) + 1) return 'out-of-order';
  return null;
}
