import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Items } from '../../../lib/runtime/commit.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { Batch, CodeGroup, CodeRow } from '../rules/batch.ts';

/** The rows of codes and of their batches. Every read is strongly consistent. */

export type Item = Items[number];

/** Under which all batches are, by their ids: `~` is in no id. */
const batchesKey = '~batches';

const keyOf = (batchId: string) => ({ batchId: batchesKey, part: batchId });

export async function readBatch(client: DynamoDBDocumentClient, table: string, batchId: string): Promise<Batch | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: keyOf(batchId), ConsistentRead: true }));
  return found.Item ? batchIn(found.Item) : null;
}

function batchIn({ part, ...row }: Record<string, unknown>): Batch {
  return { ...row, batchId: part } as Batch;
}

/** A page of the batches, newest first. @param after the `batchId` that the page before ended with */
export async function readBatches(
  client: DynamoDBDocumentClient,
  table: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ batches: Batch[]; hasMore: boolean }> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'batchId = :batches',
    ExpressionAttributeValues: { ':batches': batchesKey },
    ScanIndexForward: false,
    ...(after !== null && { ExclusiveStartKey: keyOf(after) }),
  };
  const { rows, hasMore } = await queryPage<Record<string, unknown>>(client, query, limit);
  return { batches: rows.map(batchIn), hasMore };
}

/** Of those codes that are written. */
export async function readGroups(client: DynamoDBDocumentClient, table: string, batchId: string): Promise<CodeGroup[]> {
  return queryAll<CodeGroup>(client, {
    TableName: table,
    KeyConditionExpression: 'batchId = :batchId',
    ExpressionAttributeValues: { ':batchId': batchId },
  });
}

export async function readGroup(
  client: DynamoDBDocumentClient,
  table: string,
  { batchId, part }: { batchId: string; part: string },
): Promise<CodeGroup | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: { batchId, part }, ConsistentRead: true }));
  return (found.Item as CodeGroup | undefined) ?? null;
}

export async function readCodeRow(
  client: DynamoDBDocumentClient,
  table: string,
  accessCodeId: string,
): Promise<CodeRow | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: { accessCodeId }, ConsistentRead: true }));
  return (found.Item as CodeRow | undefined) ?? null;
}

/** @param ids of a code, one for each known key; it has one of them */
export async function findCodeRow(
  client: DynamoDBDocumentClient,
  table: string,
  ids: readonly string[],
): Promise<CodeRow | null> {
  for (const id of ids) {
    const row = await readCodeRow(client, table, id);
    if (row) return row;
  }
  return null;
}

/** The batch of a code, and the code's row: read again if the batch is revoked. */
export async function readWithBatch(
  client: DynamoDBDocumentClient,
  tables: { readonly AccessCodes: string; readonly AccessCodeBatches: string },
  found: CodeRow & { readonly batchId: string },
): Promise<{ row: CodeRow; batch: Batch }> {
  const batch = await readBatch(client, tables.AccessCodeBatches, found.batchId);
  if (!batch) throw new Error('a code has no batch');
  if (batch.revokedAt === null) return { row: found, batch };
  // Between the two reads the code may have been redeemed and then its batch revoked. A redemption stays.
  return { row: (await readCodeRow(client, tables.AccessCodes, found.accessCodeId)) ?? found, batch };
}

/** A batch in the place of the one that was read, or the first of its id. */
export function putBatch(table: string, { batchId, ...batch }: Batch): Item {
  return {
    Put: { TableName: table, Item: { ...batch, ...keyOf(batchId) }, ...stillAt(batch.revision - 1, 'batchId') },
  };
}

export function putGroup(table: string, group: CodeGroup): Item {
  return { Put: { TableName: table, Item: group, ...stillAt(0, 'batchId') } };
}

type GroupKey = Pick<CodeGroup, 'batchId' | 'part'>;

/** One code more of a group is redeemed or revoked, while its batch is not. */
export function countInGroup(table: string, { batchId, part }: GroupKey, count: 'redeemed' | 'revoked'): Item {
  return {
    Update: {
      TableName: table,
      Key: { batchId, part },
      UpdateExpression: `ADD ${count} :one`,
      ConditionExpression: 'attribute_exists(batchId) AND attribute_not_exists(revokedAt)',
      ExpressionAttributeValues: { ':one': 1 },
    },
  };
}

/** No code of a group is redeemed or revoked from here on; again it changes nothing. */
export function revokeGroup(table: string, { batchId, part }: GroupKey, revokedAt: string): Item {
  return {
    Update: {
      TableName: table,
      Key: { batchId, part },
      UpdateExpression: 'SET revokedAt = :at',
      ExpressionAttributeValues: { ':at': revokedAt },
    },
  };
}

/** What the codes of a revoked group unlocked is over, in the transaction that ends each of it; again it is the same time. */
export function endGroup(table: string, { batchId, part }: GroupKey, at: string): Item {
  return {
    Update: {
      TableName: table,
      Key: { batchId, part },
      UpdateExpression: 'SET entitlementsEndedAt = :at',
      ExpressionAttributeValues: { ':at': at },
    },
  };
}

/** What one code of a group unlocked is over; once, and not where the whole group's is. */
export function endInGroup(table: string, { batchId, part }: GroupKey, accessCodeId: string, at: string): Item {
  return {
    Update: {
      TableName: table,
      Key: { batchId, part },
      UpdateExpression: 'SET ended.#code = :at',
      ConditionExpression:
        'attribute_exists(batchId) AND attribute_not_exists(entitlementsEndedAt) AND attribute_not_exists(ended.#code)',
      ExpressionAttributeNames: { '#code': accessCodeId },
      ExpressionAttributeValues: { ':at': at },
    },
  };
}

export function putNewCode(table: string, row: CodeRow): Item {
  return { Put: { TableName: table, Item: row, ConditionExpression: 'attribute_not_exists(accessCodeId)' } };
}

/** No code has one of these ids. */
export function noCode(table: string, ids: readonly string[]): Item[] {
  const ConditionExpression = 'attribute_not_exists(accessCodeId)';
  return ids.map((accessCodeId) => ({
    ConditionCheck: { TableName: table, Key: { accessCodeId }, ConditionExpression },
  }));
}

/** A code that was neither redeemed nor revoked so far. */
export function putUsedCode(table: string, row: CodeRow): Item {
  const ConditionExpression =
    'attribute_exists(accessCodeId) AND attribute_not_exists(redeemedAt) AND attribute_not_exists(revokedAt)';
  return { Put: { TableName: table, Item: row, ConditionExpression } };
}

/** Of a row that carries `revision`; 0 where there is none yet. */
export function stillAt(revision: number, partitionKey: string) {
  if (revision === 0) return { ConditionExpression: `attribute_not_exists(${partitionKey})` };
  return { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': revision } };
}
