import { erasureKeyOf } from '../rules/erasure.ts';

/**
 * A condition for a transaction that must write nothing after the user's erasure has begun. So either the write or the
 * beginning comes first.
 */
export function erasureNotBegun(table: string, userId: string) {
  return {
    TableName: table,
    Key: erasureKeyOf(userId),
    ConditionExpression: 'attribute_not_exists(begunAt) OR begunAt = :never',
    ExpressionAttributeValues: { ':never': null },
  };
}
