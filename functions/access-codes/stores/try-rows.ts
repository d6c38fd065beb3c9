import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Tries } from '../rules/tries.ts';
import { type Item, stillAt } from './code-rows.ts';

/** Strongly consistent; null before the first. */
export async function readTries(client: DynamoDBDocumentClient, table: string, userId: string): Promise<Tries | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: { userId }, ConsistentRead: true }));
  return (found.Item as Tries | undefined) ?? null;
}

/** In the place of the row that was read. */
export function putTries(table: string, tries: Tries, before: Tries | null): Item {
  return { Put: { TableName: table, Item: tries, ...stillAt(before?.revision ?? 0, 'userId') } };
}
