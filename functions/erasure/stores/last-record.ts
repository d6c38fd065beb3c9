import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { queryAll } from '../../../lib/runtime/query-all.ts';

/** The time of the user's latest record of any agreement, by the pointers; null if there is none. */
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
