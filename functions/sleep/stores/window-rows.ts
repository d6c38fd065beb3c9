import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { committed } from '../../../lib/runtime/write-latest.ts';
import type { SleepWindow } from '../rules/window.ts';

/** Table `SleepWindows`: a row for each that was released, and for each that was taken back. Nobody changes one. */

export type WindowRow = SleepWindow & {
  /** In which the patient was when it was released. */
  readonly zone: string;
  readonly releasedBy: string;
};

/** As the first release wrote them, when only a physician could release a window. */
type Stored = Omit<WindowRow, Later> & Partial<Pick<WindowRow, Later>>;
type Later = 'proposed' | 'replaces' | 'isWithdrawn' | 'by' | 'screening';

/** The latest row, also one by which a window was taken back; strongly consistent. */
export async function readLastWindow(
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
  const row = Items[0] as Stored | undefined;
  if (!row) return null;
  const { minutes, risingTime } = row;
  const first = { proposed: { minutes, risingTime }, replaces: null, isWithdrawn: false } as const;
  return { ...first, by: 'physician', screening: null, ...row };
}

/** @returns false where one of this number was released meanwhile */
export async function putWindow(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  window: WindowRow,
): Promise<boolean> {
  const Item = { ...window, userId, number: String(window.sequence).padStart(4, '0') };
  const put = { TableName: table, Item, ConditionExpression: 'attribute_not_exists(userId)' };
  return committed(client, [{ Put: put }]);
}
