import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { commit } from '../../../lib/runtime/commit.ts';
import type { SleepWindow } from '../rules/window.ts';

/** Table `SleepWindows`: one row for each release and one for each withdrawal. Rows are never changed. */

export type WindowRow = SleepWindow & {
  /** The zone in which the patient was at the release. */
  readonly zone: string;
  readonly releasedBy: string;
};

/** Rows of the first version of this code, when only a physician could release a window. */
type Stored = Omit<WindowRow, Later> & Partial<Pick<WindowRow, Later>>;
type Later = 'proposed' | 'replaces' | 'isWithdrawn' | 'by' | 'screening';

/** The latest row, which can also be a withdrawal; strongly consistent. */
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

/** @returns false if another row with this number was written in the meantime */
export async function putWindow(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  window: WindowRow,
): Promise<boolean> {
  const Item = { ...window, userId, number: String(window.sequence).padStart(4, '0') };
  const put = { TableName: table, Item, ConditionExpression: 'attribute_not_exists(userId)' };
  return commit(client, [{ Put: put }]);
}
