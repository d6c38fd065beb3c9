import { erasureKeyOf } from '../rules/erasure.ts';

/** The condition of a transaction that is to write nothing once the user's erasure has begun: of the two one is first. */
export function erasureNotBegun(table: string, userId: string) {
  return {
    TableName: table,
    Key: erasureKeyOf(userId),
    ConditionExpression: 'attribute_not_exists(begunAt) OR begunAt = :never',
    ExpressionAttributeValues: { ':never': null },
  };
}
