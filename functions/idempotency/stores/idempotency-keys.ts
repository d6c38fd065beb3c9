import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { Failure } from '../../../lib/runtime/failure.ts';
import { IdempotencyKeyReused } from '../errors.ts';
import { type KeyRow, type Once, type Remembered, rowOf, secondsOf, verdictOn } from '../rules/once.ts';

/**
 * What was made under a key, once it is made. Null for a request without a key, which costs nothing.
 *
 * @throws a Failure `IDEMPOTENCY_KEY_REUSED`, which the route declares
 */
export async function recall(
  client: DynamoDBDocumentClient,
  table: string,
  once: Once | null,
): Promise<Remembered | null> {
  if (!once) return null;
  const { keyId } = once;
  const found = await client.send(new GetCommand({ TableName: table, Key: { keyId }, ConsistentRead: true }));
  const row = (found.Item as KeyRow | undefined) ?? null;
  const verdict = verdictOn(row, once);
  if (verdict === 'reused') throw new Failure(IdempotencyKeyReused);
  return verdict === 'repeated' && row ? row.made : null;
}

/**
 * For the transaction of the request: if two requests have the same key, the second transaction fails like a conflict with another
 * writer. The caller then decides again, and calls `recall` first.
 */
export function rememberedIn(table: string, once: Once | null, made: Remembered) {
  if (!once) return [];
  const put = {
    TableName: table,
    Item: rowOf(once, made),
    ConditionExpression: 'attribute_not_exists(keyId) OR expiresAt <= :now',
    ExpressionAttributeValues: { ':now': secondsOf(once.realNow) },
  };
  return [{ Put: put }];
}
