import { type DynamoDBDocumentClient, GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { isContention } from '../../../lib/runtime/failure.ts';
import type { PublicJwk } from '../../../lib/runtime/jws.ts';

/**
 * The public keys that receipts were ever signed with. A key is there before its first signature, and stays: the table is a
 * ledger, whose rows nobody changes.
 */

const purpose = 'receipts';
/** Those that this function environment knows to be there. */
const published = new Set<string>();

/** Under the key's id another key was published. */
export class KeyMismatch extends Error {
  override readonly name = 'KeyMismatch';
}

/** @throws a KeyMismatch where receipts signed with this key would not verify */
export async function publishKey(client: DynamoDBDocumentClient, table: string, jwk: PublicJwk): Promise<void> {
  const known = `${table} ${jwk.kid}`;
  if (published.has(known)) return;
  const Item = { purpose, keyId: jwk.kid, jwk, publishedAt: new Date().toISOString() };
  const put = { TableName: table, Item, ConditionExpression: 'attribute_not_exists(purpose)' };
  try {
    await client.send(new TransactWriteCommand({ TransactItems: [{ Put: put }] }));
  } catch (error) {
    if (!isContention(error)) throw error;
    const found = await readKey(client, table, jwk.kid);
    // Somebody else is at it: whether the key will be there is not known yet.
    if (!found) throw error;
    if (found.x !== jwk.x || found.y !== jwk.y) throw new KeyMismatch();
  }
  published.add(known);
}

export async function readKey(client: DynamoDBDocumentClient, table: string, kid: string): Promise<PublicJwk | null> {
  const Key = { purpose, keyId: kid };
  const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (Item?.jwk as PublicJwk | undefined) ?? null;
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
