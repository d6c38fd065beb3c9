import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { PublicJwk } from '../../lib/runtime/jws.ts';

/** The public keys that receipts were ever signed with. A key is there before its first signature, and stays. */

const purpose = 'receipts';
/** Those that this function environment knows to be there. */
const published = new Set<string>();

export async function publishKey(client: DynamoDBDocumentClient, table: string, jwk: PublicJwk): Promise<void> {
  if (published.has(jwk.kid)) return;
  const Item = { purpose, keyId: jwk.kid, jwk, publishedAt: new Date().toISOString() };
  try {
    await client.send(new PutCommand({ TableName: table, Item, ConditionExpression: 'attribute_not_exists(purpose)' }));
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ConditionalCheckFailedException')) throw error;
  }
  published.add(jwk.kid);
}

/** Oldest first. */
export async function readKeys(client: DynamoDBDocumentClient, table: string): Promise<PublicJwk[]> {
  const found = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'purpose = :purpose',
      ExpressionAttributeValues: { ':purpose': purpose },
      ConsistentRead: true,
    }),
  );
  const rows = (found.Items ?? []) as { jwk: PublicJwk; publishedAt: string }[];
  return rows.toSorted((one, other) => (one.publishedAt < other.publishedAt ? -1 : 1)).map(({ jwk }) => jwk);
}
