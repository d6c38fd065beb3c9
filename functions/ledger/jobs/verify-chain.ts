import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Objects } from '../../../lib/runtime/objects.ts';
import type { TrustedKeys } from '../../../lib/runtime/signed.ts';
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
  readonly client: DynamoDBDocumentClient;
  readonly tables: { readonly ConsentRecords: string; readonly ConsentStates: string };
  readonly evidence: Objects;
  /** Those of checkpoints. */
  readonly keys: TrustedKeys;
  readonly tombstoneKeys: TrustedKeys;
  /** Whose signature is taken for imports', and for what operators say of tombstones. */
  readonly importKeys: TrustedKeys;
  /** For which records stay after their user's erasure: what is released earlier was not released by our rules. */
  readonly retentionYears: number;
  /** Between the request of an erasure and its beginning, both by S3. */
  readonly graceMs: number;
  /** A release under a hold is none by our rules, whoever signed it. */
  readonly isHeld: (userId: string) => Promise<boolean>;
};

/** Looks once more at one chain, as it is at one moment: users go on consenting while the ledger is walked. */
export async function examine(ledger: Ledger, userAgreement: string, dating: Dating): Promise<Finding[]> {
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
  const ending = await readEnding(ledger.evidence, { keys, operatorKeys, graceMs }, userAgreement, new Date());
  if (!ending) return findings;
  if (await ledger.isHeld(ownerOf(userAgreement).userId)) {
    const says = `the tombstone releases this chain at ${ending.releasedAt}, but the user's data is under a legal hold`;
    return [...findings, findingOf('tombstone-contradicted', userAgreement, {}, says)];
  }
  return afterErasure(userAgreement, ending, findings, { records, pointer, anchors, retentionYears });
}

/** Whoever wrote a row may have written anything, also what is no text and no number: one row ends no check of all. */
export function unlessUnreadable<T>(judge: () => T): T | null {
  try {
    return judge();
  } catch {
    return null;
  }
}

/**
 * Record and pointer are written at once, so that a pointer that is read after the records is never behind them. What was
 * appended in between is read up to where the pointer is.
 */
async function readAtOnce(ledger: Ledger, userAgreement: string) {
  const records = await readRecords(ledger, userAgreement);
  const pointer = await readPointer(ledger, userAgreement);
  const last = recordsIn(records).at(-1);
  const shown = sequenceOf(pointer);
  if (!(shown > (last ? sequenceOf(last) : 0))) return { rows: records, pointer };
  const appended = await readRecords(ledger, userAgreement, last?.recordedAt);
  // What is planted between the two is there once.
  const known = new Set(records.map(({ recordedAt }) => recordedAt));
  const since = appended.filter(
    ({ recordedAt, sequence }) => !known.has(recordedAt) && !(sequenceOf({ sequence }) > shown),
  );
  return { rows: [...records, ...since], pointer };
}

function sequenceOf(row: StoredRecord | null): number {
  return typeof row?.sequence === 'number' ? row.sequence : Number.NaN;
}

async function readPointer({ client, tables }: Ledger, userAgreement: string): Promise<StoredPointer | null> {
  const Key = ownerOf(userAgreement);
  const found = await client.send(new GetCommand({ TableName: tables.ConsentStates, Key, ConsistentRead: true }));
  return found.Item ?? null;
}

/** @param after the key's time that they come after; all of them unless given */
async function readRecords(
  { client, tables }: Ledger,
  userAgreement: string,
  after?: unknown,
): Promise<StoredRecord[]> {
  const isAfter = after === undefined ? '' : ' AND recordedAt > :after';
  const pages = paginateQuery(
    { client },
    {
      TableName: tables.ConsentRecords,
      KeyConditionExpression: `userAgreement = :userAgreement${isAfter}`,
      ExpressionAttributeValues: { ':userAgreement': userAgreement, ...(after !== undefined && { ':after': after }) },
      ConsistentRead: true,
    },
  );
  const records: StoredRecord[] = [];
  for await (const { Items = [] } of pages) records.push(...Items);
  return records;
}
