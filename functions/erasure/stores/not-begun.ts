import { check, type TransactItem } from '../../../lib/runtime/rows.ts';
import { erasureKeyOf } from '../rules/erasure.ts';
import type { Erasures } from '../tables.ts';

/**
 * A condition for a transaction that must write nothing after the user's erasure has begun. So either the write or the
 * beginning comes first.
 */
export function erasureNotBegun(table: Erasures<'check'>, userId: string): TransactItem {
  return check(table, erasureKeyOf(userId), {
    ConditionExpression: 'attribute_not_exists(begunAt) OR begunAt = :never',
    ExpressionAttributeValues: { ':never': null },
  });
}
