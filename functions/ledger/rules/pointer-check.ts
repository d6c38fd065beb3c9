import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ConsentRecord } from '../../access/consent-states.ts';
import { stateOf } from '../../consents/rules.ts';
import { canonicalText } from './canonical.ts';
import { type Finding, findingOf, type StoredPointer, type StoredRecord } from './finding.ts';

/** A pointer must equal its chain's last record, field by field. */
export function checkPointer(
  userAgreement: string,
  records: readonly StoredRecord[],
  pointer: StoredPointer | null,
): Finding[] {
  const last = records.at(-1);
  if (!last && !pointer) return [];
  const found = (kind: Finding['kind'], says: string) => [findingOf(kind, userAgreement, last ?? pointer ?? {}, says)];
  if (!pointer) return found('pointer-missing', 'no pointer shows this last record');
  if (!last) return found('pointer-ahead', `a pointer shows record ${pointer.sequence}, and there is no record at all`);
  const [shown, is] = [Number(pointer.sequence), Number(last.sequence)];
  if (shown < is) return found('pointer-lags', `the pointer shows record ${shown}, and this is the last one`);
  if (shown > is) return found('pointer-ahead', `the pointer shows record ${shown}, and this is the last one`);
  if (pointerDigest(pointer) === recordDigest(last)) return [];
  const state: StoredPointer = stateOf(chained(last));
  const names = new Set([...Object.keys(state), ...Object.keys(pointer)]);
  const differing = [...names].filter((name) => !isDeepStrictEqual(state[name], pointer[name]));
  return found('pointer-differs', `the pointer says something else of it: ${differing.join(', ')}`);
}

/** Equal if the pointer matches the record. */
export function pointerDigest(pointer: StoredPointer): string {
  return createHash('sha256').update(canonicalText(pointer)).digest('base64url');
}

export function recordDigest(record: StoredRecord): string {
  return pointerDigest(stateOf(chained(record)));
}

/** The record as it was appended, without the table's key and its expiry. */
function chained(record: StoredRecord): ConsentRecord {
  const { userAgreement: _key, expiresAt: _expiresAt, ...chained } = record;
  return chained as ConsentRecord;
}
