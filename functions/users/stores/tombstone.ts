import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Erased } from '../rules/profile.ts';

/**
 * What a transaction puts so that no profile is made of a user any more: the tombstone, where there is no row yet. Nothing
 * where there is one, which the erasure replaces.
 */
export async function tombstoneWithoutProfile(client: DynamoDBDocumentClient, table: string, tombstone: Erased) {
  const { userId } = tombstone;
  const { Item } = await client.send(new GetCommand({ TableName: table, Key: { userId }, ConsistentRead: true }));
  if (Item) return [];
  return [{ Put: { TableName: table, Item: tombstone, ConditionExpression: 'attribute_not_exists(userId)' } }];
}
