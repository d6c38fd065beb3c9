import { Failure } from '../../../lib/runtime/failure.ts';
import { get, put, type TransactItem } from '../../../lib/runtime/rows.ts';
import { IdempotencyKeyReused } from '../errors.ts';
import { type Once, type Remembered, rowOf, secondsOf, verdictOn } from '../rules/once.ts';
import type { IdempotencyKeys } from '../tables.ts';

/**
 * What was made under a key, once it is made. Null for a request without a key, which costs nothing.
 *
 * @throws a Failure `IDEMPOTENCY_KEY_REUSED`, which the route declares
 */
export async function recall(table: IdempotencyKeys<'get'>, once: Once | null): Promise<Remembered | null> {
  if (!once) return null;
  const row = await get(table, { keyId: once.keyId });
  const verdict = verdictOn(row, once);
  if (verdict === 'reused') throw new Failure(IdempotencyKeyReused);
  return verdict === 'repeated' && row ? row.made : null;
}

/**
 * For the transaction of the request: if two requests have the same key, the second transaction fails like a conflict with another
 * writer. The caller then decides again, and calls `recall` first.
 */
export function rememberedIn(table: IdempotencyKeys<'put'>, once: Once | null, made: Remembered): TransactItem[] {
  if (!once) return [];
  const isFree = {
    ConditionExpression: 'attribute_not_exists(keyId) OR expiresAt <= :now',
    ExpressionAttributeValues: { ':now': secondsOf(once.realNow) },
  };
  return [put(table, rowOf(once, made), isFree)];
}
