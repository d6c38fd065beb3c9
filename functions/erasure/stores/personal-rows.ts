import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ErasedTable } from '../../../lib/contract/personal-data.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';

/** Rows of any domain that are found by a key, as its `personal-data.ts` says. Repeatable. */

/** @param nameOf the deployed table's name, of the declared one */
export async function erasePersonalRows(
  client: DynamoDBDocumentClient,
  { table, through, fields = [] }: ErasedTable,
  nameOf: (declared: string) => string,
  userId: string,
): Promise<void> {
  const { name, partitionKey, sortKey } = table;
  const partitions = through
    ? rowsOf(client, nameOf(through.name), through.partitionKey, userId, (row) =>
        fields.map((field) => String(row[field])).join('#'),
      )
    : [userId];
  for await (const partition of partitions) {
    const keys = rowsOf(client, nameOf(name), partitionKey, partition, (row) => ({
      [partitionKey]: partition,
      ...(sortKey !== undefined && { [sortKey]: row[sortKey] }),
    }));
    for await (const Key of keys) await client.send(new DeleteCommand({ TableName: nameOf(name), Key }));
  }
}

async function* rowsOf<T>(
  client: DynamoDBDocumentClient,
  TableName: string,
  partitionKey: string,
  partition: string,
  read: (row: Record<string, unknown>) => T,
): AsyncGenerator<T> {
  const rows = queryEach<Record<string, unknown>>(client, {
    TableName,
    KeyConditionExpression: '#key = :partition',
    ExpressionAttributeNames: { '#key': partitionKey },
    ExpressionAttributeValues: { ':partition': partition },
  });
  for await (const row of rows) yield read(row);
}
