import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { put, remove } from '../../../lib/runtime/rows.ts';
import type { TableHandle } from '../../../lib/runtime/table-handle.ts';
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
  tables: { readonly SleepWindows: TableHandle; readonly SleepWindowRuns: TableHandle },
  userId: string,
  window: WindowRow,
): Promise<boolean> {
  const row = { ...window, userId, number: String(window.sequence).padStart(4, '0') };
  const written = put(tables.SleepWindows, row, { ConditionExpression: 'attribute_not_exists(userId)' });
  return commit([written, ...itemsOfRun(tables.SleepWindowRuns, userId, window)]);
}

function itemsOfRun(table: TableHandle, userId: string, window: WindowRow): Items {
  const { startedOn } = window;
  const key = runKey(userId, startedOn);
  if (window.isWithdrawn) return [remove(table, key)];
  return startedOn === window.from ? [put(table, { ...key, userId, startedOn })] : [];
}
