import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
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

/** The date of the first evening of the uninterrupted run of windows to which this one belongs. */
export function startOf({ startedOn, from }: Pick<WindowRow, 'from'> & { readonly startedOn?: string }): string {
  return startedOn ?? from;
}

/** The key in `SleepWindowRuns`. */
export function runKey(userId: string, startedOn: string) {
  return { month: startedOn.slice(0, 7), run: `${startedOn}#${userId}` };
}

/**
 * Writes the first window of a run together with the run's row, and a withdrawal together with the deletion of that
 * row.
 *
 * @returns false if another row with this number was written in the meantime
 */
export async function putWindow(
  client: DynamoDBDocumentClient,
  tables: { readonly SleepWindows: string; readonly SleepWindowRuns: string },
  userId: string,
  window: WindowRow,
): Promise<boolean> {
  const Item = { ...window, userId, number: String(window.sequence).padStart(4, '0') };
  const put = { TableName: tables.SleepWindows, Item, ConditionExpression: 'attribute_not_exists(userId)' };
  return commit(client, [{ Put: put }, ...itemsOfRun(tables.SleepWindowRuns, userId, window)]);
}

function itemsOfRun(TableName: string, userId: string, window: WindowRow): Items {
  const startedOn = startOf(window);
  const Key = runKey(userId, startedOn);
  if (window.isWithdrawn) return [{ Delete: { TableName, Key } }];
  return startedOn === window.from ? [{ Put: { TableName, Item: { ...Key, userId, startedOn } } }] : [];
}
