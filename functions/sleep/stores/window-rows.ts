import { commit } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifAsRead } from '../../../lib/runtime/conditions.ts';
import { put, remove } from '../../../lib/runtime/rows.ts';
import { type LastRead, longestNumber, mostWindows, runKey } from '../../window-runs/exports.ts';
import type { SleepWindowRuns, SleepWindows } from '../../window-runs/tables.ts';
import type { SleepWindow } from '../rules/window.ts';

/**
 * Table `SleepWindows`: one row for each release and one for each withdrawal, by its number. Rows are never changed.
 */

export type WindowRow = SleepWindow & {
  /** The zone in which the patient was at the release. */
  readonly zone: string;
  readonly releasedBy: string;
};

/** The row behind which it follows. */
type Behind = LastRead<WindowRow>['behind'];

export type ReleasedTables = {
  readonly SleepWindows: SleepWindows<'put'>;
  readonly SleepWindowRuns: SleepWindowRuns<'put'>;
};

/**
 * Writes the first window of a run together with the run's row.
 *
 * @returns false if another row with this number was written in the meantime
 */
export async function putWindow(
  tables: ReleasedTables,
  userId: string,
  window: WindowRow,
  behind: Behind,
): Promise<boolean> {
  const { startedOn, from } = window;
  const run = { ...runKey(userId, startedOn), userId, startedOn };
  const isFirst = startedOn === from;
  return commit([
    windowItem(tables.SleepWindows, userId, window, behind),
    ...(isFirst ? [put(tables.SleepWindowRuns, run)] : []),
  ]);
}

export type WithdrawnTables = {
  readonly SleepWindows: SleepWindows<'put'>;
  readonly SleepWindowRuns: SleepWindowRuns<'remove'>;
};

/** Writes a withdrawal together with the deletion of the run's row. @returns as `putWindow` */
export async function putWithdrawal(
  tables: WithdrawnTables,
  userId: string,
  window: WindowRow,
  behind: Behind,
): Promise<boolean> {
  const run = runKey(userId, window.startedOn);
  return commit([windowItem(tables.SleepWindows, userId, window, behind), remove(tables.SleepWindowRuns, run)]);
}

/** Also after a row whose number sorts behind all of ours, which others may write, or over it: what is decided now has to count. */
function windowItem(table: SleepWindows<'put'>, userId: string, decided: WindowRow, behind: Behind) {
  const window = { ...decided, sequence: Math.min(decided.sequence, mostWindows) };
  const own = String(window.sequence).padStart(4, '0');
  const isBehind = behind !== null && behind.number >= own;
  const isFull = isBehind && behind.number.length >= longestNumber;
  const number = isFull ? behind.number : isBehind ? `${behind.number}+` : own;
  const { releasedAt, isWithdrawn } = behind ?? {};
  const condition = isFull ? ifAsRead({ userId, releasedAt, isWithdrawn }) : ifAbsent('userId');
  return put(table, { ...window, userId, number }, condition);
}
