import { isDeepStrictEqual } from 'node:util';
import { hashOf, partitionOf } from '../../consents/rules.ts';
import { misdatingOf, type RowChange } from '../../evidence/rules.ts';
import { receiptType } from '../../receipts/rules.ts';
import { isInItsPlace, isReadable, isWellFormed } from './chain-check.ts';
import type { StoredRecord } from './finding.ts';

export type Suspicion =
  | 'changed'
  | 'removed'
  | 'not-a-record'
  | 'not-a-receipt'
  /** The receipt has the right form, but none of our keys signed it, or it says something that its record does not. */
  | 'forged'
  /** No pointer shows the record, or one that came after it: only a transaction writes both. */
  | 'no-pointer'
  | 'backdated'
  | 'postdated'
  /** The record says so itself. The operator of an import expects it; a signed import needs no examination. */
  | 'imported'
  | 'expires-unreleased'
  | 'expires-under-hold';

export type Judgement =
  | { readonly outcome: 'fine' }
  | { readonly outcome: 'suspicious'; readonly suspicion: Suspicion }
  /** Fine if a logged release sets this expiry: seconds since 1970. */
  | { readonly outcome: 'released?'; readonly expiresAt: number };

type Rules = {
  /** Attributes that every record's row has. */
  readonly attributes: readonly string[];
  /** The time machine dates records. */
  readonly movedClock: boolean;
};

const fine: Judgement = { outcome: 'fine' };
const suspicious = (suspicion: Suspicion): Judgement => ({ outcome: 'suspicious', suspicion });

/** A record is appended. After its retention its expiry is set, and then it is deleted. No other change is allowed. */
export function judgeChange(change: RowChange, rules: Rules): Judgement {
  return judgeRow(change, (record) => judgeAppended(record, change.at, rules));
}

/**
 * The same for a stored receipt: it is stored once, completely, and deleted with its record. The row must have a
 * receipt's form, and be about the record whose key it has. The caller compares its claims and verifies its signature.
 */
export function judgeReceiptChange(change: RowChange, { attributes, read }: ReceiptRules): Judgement {
  return judgeRow(change, (row) => {
    const isWhole = attributes.every((name) => name in row) && !('expiresAt' in row);
    return isWhole && isOfItsRecord(row, read) ? fine : suspicious('not-a-receipt');
  });
}

type ReceiptRules = Pick<Rules, 'attributes'> & {
  /** The parts of a JWS; null if the text is not one. */
  readonly read: (text: string) => { readonly typ: string | null; readonly payload: object } | null;
};

function isOfItsRecord(row: StoredRecord, read: ReceiptRules['read']): boolean {
  const { userAgreement, recordedAt, receiptId, receipt } = row;
  const jws = typeof receipt === 'string' ? read(receipt) : null;
  if (jws?.typ !== receiptType) return false;
  const { jti, record } = jws.payload as { jti?: unknown; record?: Partial<Record<string, unknown>> | null };
  const { userId, agreementId } = record ?? {};
  if (typeof userId !== 'string' || typeof agreementId !== 'string') return false;
  return (
    jti === receiptId && partitionOf({ userId, agreementId }) === userAgreement && record?.recordedAt === recordedAt
  );
}

function judgeRow({ before, after, isByTimeToLive }: RowChange, judgeNew: (row: StoredRecord) => Judgement): Judgement {
  if (after === null) {
    if (!isByTimeToLive) return suspicious('removed');
    return releasedAt(before?.expiresAt);
  }
  if (before === null) return judgeNew(after);
  const { expiresAt: _before, ...was } = before;
  const { expiresAt, ...is } = after;
  return isDeepStrictEqual(was, is) ? releasedAt(expiresAt) : suspicious('changed');
}

function judgeAppended(record: StoredRecord, at: Date, { attributes, movedClock }: Rules): Judgement {
  const { userAgreement, ...covered } = record;
  // Attributes that a newer version adds are in its hash, and the table's policy names them; an expiry is in no hash.
  const isWhole = attributes.every((name) => name in record) && !('expiresAt' in record);
  const isOne =
    isWhole && isWellFormed(record) && isReadable(record) && isInItsPlace(userAgreement, record) && isFlat(record);
  if (!isOne || hashOf(covered) !== record.hash) return suspicious('not-a-record');
  if (record.source === 'imported') return suspicious('imported');
  const misdating = movedClock ? null : misdatingOf(record.recordedAt, at);
  return misdating === null ? fine : suspicious(misdating);
}

/** A value of another type is read here as the stream has it, and by the check as it is: each would compute another hash. */
function isFlat(record: StoredRecord): boolean {
  return Object.values(record).every((value) => value === null || typeof value !== 'object');
}

function releasedAt(expiresAt: unknown): Judgement {
  return typeof expiresAt === 'number' ? { outcome: 'released?', expiresAt } : suspicious('changed');
}
