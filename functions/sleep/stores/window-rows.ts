import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { runKey } from '../../window-runs/exports.ts';
import type { SleepWindow } from '../rules/window.ts';

/**
 * Table `SleepWindows`: one row for each release and one for each withdrawal, by its number. Rows are never changed.
 */

export type WindowRow = SleepWindow & {
  /** The zone in which the patient was at the release. */
  readonly zone: string;
  readonly releasedBy: string;
};

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
  const { startedOn } = window;
  const Key = runKey(userId, startedOn);
  if (window.isWithdrawn) return [{ Delete: { TableName, Key } }];
  return startedOn === window.from ? [{ Put: { TableName, Item: { ...Key, userId, startedOn } } }] : [];
}
