import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { succeedsUnlessConflict } from '../../../lib/runtime/commit.ts';
import type { Device } from '../rules/device.ts';

/** Stops sending until the app registers a fresh token; a device that has done so since it was read stays as it is. */
export async function markUnreachable(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, deviceId, revision }: Device,
): Promise<void> {
  const marking = new UpdateCommand({
    TableName: table,
    Key: { userId, deviceId },
    UpdateExpression: 'SET #status = :disabled',
    ConditionExpression: 'revision = :revision',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':disabled': 'disabled', ':revision': revision },
  });
  await succeedsUnlessConflict(client.send(marking));
}
