import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { endOfRecords, isRecordTime, isToCome, skewMs } from '../../../lib/contract/instant.ts';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifAsRead } from '../../../lib/runtime/conditions.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll, queryEach, TooManyRows } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, query } from '../../../lib/runtime/rows.ts';
import {
  type ConsentRecord,
  type ConsentRecords,
  type ConsentState,
  type ConsentStates,
  isRecord,
  isShownBy,
} from '../../access/consent-states.ts';
import type { Decision } from '../rules/consent.ts';
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
 * each record must be free, and its pointer must still be as it was read. DynamoDB accepts 100 items, and one of
 * them is the account's condition, so 49 records fit.
 *
 * @param token new for each decision; the SDK's retries after a lost answer repeat it, so nothing is changed twice
 * @param pointers by agreement, as they were read; mostly they show the predecessors
 * @param also changes of another domain, in the same transaction
 * @returns false if another writer was first: the decision must then be made again
 * @throws the SDK's error if the outcome is unknown
 */
export async function appendRecords(
  tables: { ConsentRecords: ConsentRecords<'put'>; ConsentStates: ConsentStates<'put'> },
  records: readonly ConsentRecord[],
  token: string,
  pointers: ReadonlyMap<string, ConsentState>,
  also: Items = [],
): Promise<boolean> {
  const items = records.flatMap((record) => [
    put(tables.ConsentRecords, { userAgreement: partitionOf(record), ...record }, ifAbsent('userAgreement')),
    put(tables.ConsentStates, stateOf(record), isStill(pointers.get(record.agreementId))),
  ]);
  return commit([...items, ...also], token);
}

function isStill(pointer: ConsentState | undefined) {
  if (!pointer) return ifAbsent('userId');
  const { userId, sequence, recordedAt, hash } = pointer;
  return ifAsRead({ userId, sequence, recordedAt, hash });
}

/** The record at exactly this time. */
export async function readRecord(
  table: ConsentRecords<'get'>,
  { recordedAt, ...owner }: Owner & { recordedAt: string },
): Promise<ConsentRecord | null> {
  return get(table, { userAgreement: partitionOf(owner), recordedAt });
}

type At = Owner & { readonly at: string | null };

/** The latest record that is not later than `at`; null: the latest of all. Rows at a time that no record can have are passed. */
export async function readRecordAt(table: ConsentRecords<'query'>, at: At): Promise<ConsentRecord | null> {
  return newestOf(table, at);
}

async function newestOf(table: ConsentRecords<'query'>, { at, ...owner }: At, mostPages?: number) {
  const asked = {
    KeyConditionExpression: 'userAgreement = :userAgreement AND recordedAt <= :at',
    ExpressionAttributeValues: { ...mostSequence, ':userAgreement': partitionOf(owner), ':at': at ?? endOfRecords },
    ...recordsAlone,
    ScanIndexForward: false,
  };
  const { Items: [last] = [], LastEvaluatedKey } = await query(table, { ...asked, Limit: 1 });
  if (!last && !LastEvaluatedKey) return null;
  if (last && isWhole(last)) return last;
  // Continues past planted rows.
  for await (const row of queryEach(table, asked, mostPages)) if (isWhole(row)) return row;
  return null;
}

function isWhole(row: ConsentRecord): boolean {
  return isRecord(row) && isRecordTime(row.recordedAt);
}

/** Megabytes of planted rows that a revocation looks behind: nobody may remove them, and the patient waits. */
const mostPassed = 4;

/** The newest record of a time until then; undefined: more planted rows come before it than a revocation looks behind. */
export async function readNewest(table: ConsentRecords<'query'>, at: At): Promise<ConsentRecord | null | undefined> {
  return newestOf(table, at, mostPassed).catch((error: unknown) => {
    if (error instanceof TooManyRows) return undefined;
    throw error;
  });
}

/**
 * Decides by the pointer and by the newest record: neither a pointer that somebody has written nor a record may swallow a revocation. A
 * record of a time to come that no pointer shows counts for nothing: what follows it would be of a time to come, too.
 *
 * @param newest the newest record, if it was read beside the pointer
 * @returns `before`: the state that the decision replaces
 * @throws a Failure `UNAVAILABLE` where the pointer says that nothing is to be done, and no record can be found that says it, too
 */
export async function decideTwice(
  table: ConsentRecords<'query'>,
  owner: Owner & {
    readonly state: ConsentState | null;
    readonly newest?: ConsentRecord | null | undefined;
    readonly now: Date;
  },
  decide: (state: ConsentState | null) => Decision,
): Promise<{ readonly before: ConsentState | null; readonly decision: Decision }> {
  const { state, newest, now } = owner;
  if (newest !== undefined && isShownBy(state, newest)) return { before: state, decision: decide(state) };
  // After the pointer: beside it another writer may have come between the two.
  const latest = await readNewest(table, { ...owner, at: null });
  const isPlanted = latest && isToCome(latest.recordedAt, now) && !isShownBy(state, latest);
  const at = new Date(now.getTime() + skewMs).toISOString();
  const last = isPlanted ? await readNewest(table, { ...owner, at }) : latest;
  if (last === undefined) {
    const decision = decide(state);
    if (decision.outcome === 'unchanged') throw new Failure(Unavailable);
    return { before: state, decision };
  }
  if (isShownBy(state, last)) return { before: state, decision: decide(state) };
  const before = last ? stateOf(last) : state;
  const decision = decide(before);
  // Where only the pointer asks for a change, it is made, too: the pointer then shows the last record again.
  return { before, decision: decision.outcome === 'change' ? decision : decide(state) };
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
    KeyConditionExpression: 'userAgreement = :userAgreement AND recordedAt < :end',
    ExpressionAttributeValues: { ...mostSequence, ':userAgreement': userAgreement, ':end': endOfRecords },
    ...recordsAlone,
    ScanIndexForward: false,
    ...(after && { ExclusiveStartKey: { userAgreement, recordedAt: after } }),
  };
  const { rows, hasMore } = await queryPage(table, asked, limit);
  // Continues past planted rows, however many there are.
  const records = rows.length === 0 && hasMore ? await firstOf(queryEach(table, asked)) : rows;
  const next = hasMore ? (records.at(-1)?.recordedAt ?? null) : null;
  return { records: records.filter(({ recordedAt }) => isRecordTime(recordedAt)), next };
}

async function firstOf<Row>(rows: AsyncGenerator<Row, void>): Promise<Row[]> {
  const { value } = await rows.next();
  return value ? [value] : [];
}
