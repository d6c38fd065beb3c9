import {
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { isContention } from '../../../lib/runtime/failure.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { ConsentState } from '../rules/consent.ts';
import { type ConsentRecord, partitionOf, stateOf } from '../rules/record.ts';

/** The ledger `ConsentRecords` and the pointers `ConsentStates`. Every read is strongly consistent. */

/**
 * Who may set expiries can make rows of keys alone (decision 21), and who appends can put a number that is none of a record:
 * they are nobody's last record.
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

/** All of a user's states, by agreement. One Query: a hundred agreements are far from its megabyte. */
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
 * Appends records, of one agreement each, and moves their pointers, all or nothing: a record on the condition that its key is
 * free, its pointer on the condition that it still shows the predecessor. DynamoDB takes 100 items, one of
 * which is the account's condition: 49 records.
 *
 * @param token new for each decision; the SDK's retries of a lost answer carry it again and change nothing twice
 * @param also what another domain changes with them
 * @returns false where another writer was there first, so that the decision has to be taken anew
 * @throws what the SDK throws where the outcome is unknown
 */
export async function appendRecords(
  client: DynamoDBDocumentClient,
  tables: { ConsentRecords: string; ConsentStates: string },
  records: readonly ConsentRecord[],
  token: string,
  also: NonNullable<TransactWriteCommandInput['TransactItems']> = [],
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
  try {
    await client.send(new TransactWriteCommand({ ClientRequestToken: token, TransactItems: [...items, ...also] }));
    return true;
  } catch (error) {
    if (isContention(error)) return false;
    throw error;
  }
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
  // Behind what somebody planted, however much it is.
  return (await queryEach<ConsentRecord>(client, query).next()).value ?? null;
}

/**
 * The record of that id, which is in no key: the newest are looked through first. A megabyte, which is one Query, holds
 * some 1,500 of them.
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
  const { rows: records, hasMore } = await queryPage<ConsentRecord>(client, query, limit);
  return { records, next: hasMore ? (records.at(-1)?.recordedAt ?? null) : null };
}
