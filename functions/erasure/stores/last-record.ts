import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { queryAll } from '../../../lib/runtime/query-all.ts';

/** When a user last decided on any agreement, by the pointers; null where that never was. */
export async function lastRecordAt(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<string | null> {
  const states = await queryAll<{ recordedAt: string }>(client, {
    TableName: table,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
    ProjectionExpression: 'recordedAt',
  });
  return (
    states
      .map(({ recordedAt }) => recordedAt)
      .toSorted()
      .at(-1) ?? null
  );
}
