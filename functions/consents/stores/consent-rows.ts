import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { ConsentState } from '../rules/consent.ts';
import { type ConsentRecord, partitionOf, stateOf } from '../rules/record.ts';

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

export async function readState(
  client: DynamoDBDocumentClient,
  table: string,
  owner: Owner,
): Promise<ConsentState | null> {
  const { userId, agreementId } = owner;
  const found = await client.send(
    new GetCommand({ TableName: table, Key: { userId, agreementId }, ConsistentRead: true }),
  );
  return (found.Item as ConsentState | undefined) ?? null;
}

/** All of a user's states, by agreement. One Query: a hundred agreements need far less than its limit of one megabyte. */
export async function readStates(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<Map<string, ConsentState>> {
  const found = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: { ':userId': userId },
      ConsistentRead: true,
    }),
  );
  const states = (found.Items ?? []) as ConsentState[];
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
  client: DynamoDBDocumentClient,
  tables: { ConsentRecords: string; ConsentStates: string },
  records: readonly ConsentRecord[],
  token: string,
  also: Items = [],
): Promise<boolean> {
  const items = records.flatMap((record) => [
    {
      Put: {
        TableName: tables.ConsentRecords,
        Item: { userAgreement: partitionOf(record), ...record },
        ConditionExpression: 'attribute_not_exists(userAgreement)',
      },
    },
    { Put: { TableName: tables.ConsentStates, Item: stateOf(record), ...stillShows(record.sequence - 1) } },
  ]);
  return commit(client, [...items, ...also], token);
}

function stillShows(sequence: number) {
  return sequence === 0
    ? { ConditionExpression: 'attribute_not_exists(userId)' }
    : { ConditionExpression: '#sequence = :read', ...sequenceIs(sequence) };
}

function sequenceIs(sequence: number) {
  return { ExpressionAttributeNames: { '#sequence': 'sequence' }, ExpressionAttributeValues: { ':read': sequence } };
}

/** The record at exactly this time. */
export async function readRecord(
  client: DynamoDBDocumentClient,
  table: string,
  { recordedAt, ...owner }: Owner & { recordedAt: string },
): Promise<ConsentRecord | null> {
  const Key = { userAgreement: partitionOf(owner), recordedAt };
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item as ConsentRecord | undefined) ?? null;
}

/** The latest record that is not later than `at`; null: the latest of all. */
export async function readRecordAt(
  client: DynamoDBDocumentClient,
  table: string,
  { at, ...owner }: Owner & { at: string | null },
): Promise<ConsentRecord | null> {
  const query = {
    TableName: table,
    KeyConditionExpression: `userAgreement = :userAgreement${at === null ? '' : ' AND recordedAt <= :at'}`,
    ExpressionAttributeValues: {
      ...mostSequence,
      ':userAgreement': partitionOf(owner),
      ...(at !== null && { ':at': at }),
    },
    ...recordsAlone,
    ScanIndexForward: false,
  };
  const last = await client.send(new QueryCommand({ ...query, ConsistentRead: true, Limit: 1 }));
  if (last.Items?.[0] || !last.LastEvaluatedKey) return (last.Items?.[0] as ConsentRecord | undefined) ?? null;
  // Continues past planted rows, however many there are.
  return (await queryEach<ConsentRecord>(client, query).next()).value ?? null;
}

/**
 * The record with that id. No key has the id, so the records are searched, newest first. One Query reads a megabyte,
 * which is some 1,500 records.
 */
export async function findRecord(
  client: DynamoDBDocumentClient,
  table: string,
  { recordId, ...owner }: Owner & { recordId: string },
): Promise<ConsentRecord | null> {
  const found = queryEach<ConsentRecord>(client, {
    TableName: table,
    KeyConditionExpression: 'userAgreement = :userAgreement',
    FilterExpression: 'recordId = :recordId',
    ExpressionAttributeValues: { ':userAgreement': partitionOf(owner), ':recordId': recordId },
    ScanIndexForward: false,
  });
  return (await found.next()).value ?? null;
}

/** A page of one agreement's records, newest first; `after` is the `recordedAt` that the previous page ended with. */
export async function readRecords(
  client: DynamoDBDocumentClient,
  table: string,
  owner: Owner,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ records: ConsentRecord[]; next: string | null }> {
  const userAgreement = partitionOf(owner);
  const query = {
    TableName: table,
    KeyConditionExpression: 'userAgreement = :userAgreement',
    ExpressionAttributeValues: { ...mostSequence, ':userAgreement': userAgreement },
    ...recordsAlone,
    ScanIndexForward: false,
    ...(after && { ExclusiveStartKey: { userAgreement, recordedAt: after } }),
  };
  const { rows, hasMore } = await queryPage<ConsentRecord>(client, query, limit);
  // Continues past planted rows, however many there are.
  const records = rows.length === 0 && hasMore ? await firstOf(queryEach<ConsentRecord>(client, query)) : rows;
  return { records, next: hasMore ? (records.at(-1)?.recordedAt ?? null) : null };
}

async function firstOf<Row>(rows: AsyncGenerator<Row, void>): Promise<Row[]> {
  const { value } = await rows.next();
  return value ? [value] : [];
}
