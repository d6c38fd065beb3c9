import type { Objects } from '../../../lib/runtime/objects.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { get } from '../../../lib/runtime/rows.ts';
import type { TrustedKeys } from '../../../lib/runtime/signed.ts';
import type { ConsentRecords, ConsentStates } from '../../access/consent-states.ts';
import { checkAnchors, distinctAnchors } from '../rules/anchor.ts';
import { checkChain, recordsIn } from '../rules/chain-check.ts';
import { checkDates, type Dating } from '../rules/dating.ts';
import {
  type Finding,
  findingOf,
  isChainName,
  ownerOf,
  type StoredPointer,
  type StoredRecord,
} from '../rules/finding.ts';
import { checkPointer } from '../rules/pointer-check.ts';
import { afterErasure } from '../rules/tombstone.ts';
import { readEnding } from '../stores/endings.ts';

export type Ledger = {
  readonly tables: {
    readonly ConsentRecords: ConsentRecords<'query'>;
    readonly ConsentStates: ConsentStates<'get'>;
  };
  readonly evidence: Objects;
  /** The keys of checkpoints. */
  readonly keys: TrustedKeys;
  readonly tombstoneKeys: TrustedKeys;
  /** The keys whose signature is accepted for imports and for operators' statements about tombstones. */
  readonly importKeys: TrustedKeys;
  /** How long records stay after their user's erasure: an earlier release was not made by our rules. */
  readonly retentionYears: number;
  /** The time between the request of an erasure and its beginning, both as dated by S3. */
  readonly graceMs: number;
  /** Our rules allow no release under a hold, with any signature. */
  readonly isHeld: (userId: string) => Promise<boolean>;
};

/**
 * Reads one chain again, at one moment, because users continue to consent while the ledger is read.
 *
 * @param now real time; asked after the reading, because a release may have come by then
 */
export async function examine(
  ledger: Ledger,
  userAgreement: string,
  dating: Dating,
  now: () => Date,
): Promise<Finding[]> {
  if (!isChainName(userAgreement)) {
    const says = 'a row whose key names no user and agreement';
    return [findingOf('row-planted', userAgreement, {}, says)];
  }
  const { rows, pointer } = await readAtOnce(ledger, userAgreement);
  const records = recordsIn(rows);
  const anchors = distinctAnchors(dating.anchors);
  const findings = unlessUnreadable(() => [
    ...checkChain(userAgreement, rows),
    ...checkPointer(userAgreement, records, pointer),
    ...checkAnchors(userAgreement, records, anchors),
    ...checkDates(userAgreement, records, dating),
  ]);
  if (findings === null) {
    const says = 'a record or its pointer has a value that cannot be compared';
    return [findingOf('record-malformed', userAgreement, {}, says)];
  }
  if (findings.length === 0) return [];
  const { retentionYears, graceMs, tombstoneKeys: keys, importKeys: operatorKeys } = ledger;
  const ending = await readEnding(ledger.evidence, { keys, operatorKeys, graceMs }, userAgreement, now());
  if (!ending) return findings;
  if (await ledger.isHeld(ownerOf(userAgreement).userId)) {
    const says = `the tombstone releases this chain at ${ending.releasedAt}, but the user's data is under a legal hold`;
    return [...findings, findingOf('tombstone-contradicted', userAgreement, {}, says)];
  }
  return afterErasure(userAgreement, ending, findings, { records, pointer, anchors, retentionYears });
}

/** An attacker may have written anything into a row, also values of other types: one row must not end the whole check. */
export function unlessUnreadable<T>(judge: () => T): T | null {
  try {
    return judge();
  } catch {
    return null;
  }
}

/**
 * Record and pointer are written at once. So a pointer that is read after the records is never behind them. Records
 * that were appended in between are read up to the pointer.
 */
async function readAtOnce(ledger: Ledger, userAgreement: string) {
  const records = await readRecords(ledger, userAgreement);
  const pointer = await readPointer(ledger, userAgreement);
  const last = recordsIn(records).at(-1);
  const shown = sequenceOf(pointer);
  if (!(shown > (last ? sequenceOf(last) : 0))) return { rows: records, pointer };
  const appended = await readRecords(ledger, userAgreement, last?.recordedAt);
  // A row that was planted between the two reads counts once.
  const known = new Set(records.map(({ recordedAt }) => recordedAt));
  const since = appended.filter(
    ({ recordedAt, sequence }) => !known.has(recordedAt) && !(sequenceOf({ sequence }) > shown),
  );
  return { rows: [...records, ...since], pointer };
}

function sequenceOf(row: StoredRecord | null): number {
  return typeof row?.sequence === 'number' ? row.sequence : Number.NaN;
}

async function readPointer({ tables }: Ledger, userAgreement: string): Promise<StoredPointer | null> {
  return get(tables.ConsentStates, ownerOf(userAgreement));
}

/** @param after only records with a later time; all records by default */
async function readRecords({ tables }: Ledger, userAgreement: string, after?: unknown): Promise<StoredRecord[]> {
  const isAfter = after === undefined ? '' : ' AND recordedAt > :after';
  return Array.fromAsync(
    queryEach(tables.ConsentRecords, {
      KeyConditionExpression: `userAgreement = :userAgreement${isAfter}`,
      ExpressionAttributeValues: { ':userAgreement': userAgreement, ...(after !== undefined && { ':after': after }) },
    }),
  );
}
