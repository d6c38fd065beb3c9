import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { committed } from '../../../lib/runtime/write-latest.ts';
import type { SleepWindow } from '../rules/window.ts';

/** Table `SleepWindows`: a row for each that was released, which nobody changes. */

export type WindowRow = SleepWindow & {
  /** In which the patient was when it was released. */
  readonly zone: string;
  readonly releasedBy: string;
};

/** The latest one, strongly consistent. */
export async function readCurrentWindow(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<WindowRow | null> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: { ':userId': userId },
      ScanIndexForward: false,
      Limit: 1,
      ConsistentRead: true,
    }),
  );
  return (Items[0] as WindowRow | undefined) ?? null;
}

/** @returns false where one of this number was released meanwhile */
export async function putWindow(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  window: WindowRow,
): Promise<boolean> {
  const Item = { userId, number: String(window.sequence).padStart(4, '0'), ...window };
  const put = { TableName: table, Item, ConditionExpression: 'attribute_not_exists(userId)' };
  return committed(client, [{ Put: put }]);
}
