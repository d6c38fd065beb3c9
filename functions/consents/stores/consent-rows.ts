import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll, queryEach } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, query } from '../../../lib/runtime/rows.ts';
import type { ConsentRecord, ConsentRecords, ConsentState, ConsentStates } from '../../access/consent-states.ts';
import { partitionOf, stateOf } from '../rules/record.ts';

/** The ledger `ConsentRecords` and the pointers `ConsentStates`. Every read is strongly consistent. */

/**
 * Leaves out planted rows (decision 21): a role that sets expiries can make rows that have only keys, and a role that
 * appends can write a number that no record has. Such a row is never the last record of a chain.
 */
const recordsAlone = {
  FilterExpression: 'attribute_exists(#hash) AND NOT #sequence > :most',
  ExpressionAttributeNames: { '#hash': 'hash', '#sequence': 'sequence' },
};
const mostSequence = { ':most': Number.MAX_SAFE_INTEGER };

type Owner = { userId: string; agreementId: string };

export async function readState(table: ConsentStates<'get'>, owner: Owner): Promise<ConsentState | null> {
  const { userId, agreementId } = owner;
  return get(table, { userId, agreementId });
}

/** All of a user's states, by agreement. A hundred agreements need far less than a megabyte, but rows that others planted could hide them. */
export async function readStates(table: ConsentStates<'query'>, userId: string): Promise<Map<string, ConsentState>> {
  const states = await queryAll(table, inPartition({ userId }));
  return new Map(states.map((state) => [state.agreementId, state]));
}

/**
 * Appends records and moves their pointers, all of them or none. The records are of different agreements. The key of
 * each record must be free, and its pointer must still show the predecessor. DynamoDB accepts 100 items, and one of
 * them is the account's condition, so 49 records fit.
 *
 * @param token new for each decision; the SDK's retries after a lost answer repeat it, so nothing is changed twice
 * @param also changes of another domain, in the same transaction
 * @returns false if another writer was first: the decision must then be made again
 * @throws the SDK's error if the outcome is unknown
 */
export async function appendRecords(
  tables: { ConsentRecords: ConsentRecords<'put'>; ConsentStates: ConsentStates<'put'> },
  records: readonly ConsentRecord[],
  token: string,
  also: Items = [],
): Promise<boolean> {
  const items = records.flatMap((record) => [
    put(tables.ConsentRecords, { userAgreement: partitionOf(record), ...record }, ifAbsent('userAgreement')),
    put(tables.ConsentStates, stateOf(record), stillShows(record.sequence - 1)),
  ]);
  return commit([...items, ...also], token);
}

function stillShows(sequence: number) {
  return sequence === 0 ? ifAbsent('userId') : ifUnchanged({ sequence });
}

/** The record at exactly this time. */
export async function readRecord(
  table: ConsentRecords<'get'>,
  { recordedAt, ...owner }: Owner & { recordedAt: string },
): Promise<ConsentRecord | null> {
  return get(table, { userAgreement: partitionOf(owner), recordedAt });
}

/** The latest record that is not later than `at`; null: the latest of all. */
export async function readRecordAt(
  table: ConsentRecords<'query'>,
  { at, ...owner }: Owner & { at: string | null },
): Promise<ConsentRecord | null> {
  const asked = {
    KeyConditionExpression: `userAgreement = :userAgreement${at === null ? '' : ' AND recordedAt <= :at'}`,
    ExpressionAttributeValues: {
      ...mostSequence,
      ':userAgreement': partitionOf(owner),
      ...(at !== null && { ':at': at }),
    },
    ...recordsAlone,
    ScanIndexForward: false,
  };
  const { Items: [last] = [], LastEvaluatedKey } = await query(table, { ...asked, Limit: 1 });
  if (last || !LastEvaluatedKey) return (last as ConsentRecord | undefined) ?? null;
  // Continues past planted rows, however many there are.
  return (await queryEach(table, asked).next()).value ?? null;
}

/** The first record behind that time. */
export async function readNextRecord(
  table: ConsentRecords<'query'>,
  { recordedAt, ...owner }: Owner & { recordedAt: string },
): Promise<ConsentRecord | null> {
  const found = queryEach(table, {
    KeyConditionExpression: 'userAgreement = :userAgreement AND recordedAt > :recordedAt',
    ExpressionAttributeValues: { ...mostSequence, ':userAgreement': partitionOf(owner), ':recordedAt': recordedAt },
    ...recordsAlone,
  });
  return (await found.next()).value ?? null;
}

/**
 * The record with that id. No key has the id, so the records are searched, newest first. One Query reads a megabyte,
 * which is some 1,500 records.
 */
export async function findRecord(
  table: ConsentRecords<'query'>,
  { recordId, ...owner }: Owner & { recordId: string },
): Promise<ConsentRecord | null> {
  const found = queryEach(table, {
    KeyConditionExpression: 'userAgreement = :userAgreement',
    FilterExpression: 'recordId = :recordId',
    ExpressionAttributeValues: { ':userAgreement': partitionOf(owner), ':recordId': recordId },
    ScanIndexForward: false,
  });
  return (await found.next()).value ?? null;
}

/** A page of one agreement's records, newest first; `after` is the `recordedAt` that the previous page ended with. */
export async function readRecords(
  table: ConsentRecords<'query'>,
  owner: Owner,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ records: ConsentRecord[]; next: string | null }> {
  const userAgreement = partitionOf(owner);
  const asked = {
    KeyConditionExpression: 'userAgreement = :userAgreement',
    ExpressionAttributeValues: { ...mostSequence, ':userAgreement': userAgreement },
    ...recordsAlone,
    ScanIndexForward: false,
    ...(after && { ExclusiveStartKey: { userAgreement, recordedAt: after } }),
  };
  const { rows, hasMore } = await queryPage(table, asked, limit);
  // Continues past planted rows, however many there are.
  const records = rows.length === 0 && hasMore ? await firstOf(queryEach(table, asked)) : rows;
  return { records, next: hasMore ? (records.at(-1)?.recordedAt ?? null) : null };
}

async function firstOf<Row>(rows: AsyncGenerator<Row, void>): Promise<Row[]> {
  const { value } = await rows.next();
  return value ? [value] : [];
}
