import { all, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { query, removeRow } from '../../../lib/runtime/rows.ts';
import type { Run } from '../../questionnaires/rules.ts';
import type { LastWindow, ListedRun, SleepWindowRuns, SleepWindows } from '../tables.ts';

/**
 * The runs of sleep windows: from a release after none to the withdrawal. Table `SleepWindowRuns` lists them by their
 * start, so that reminders find their users without a Scan. A run's row is written in the transaction of its first
 * window, by the domain of the windows.
 */

/** The latest row, which can also be a withdrawal; strongly consistent. */
export async function readLastWindow<W extends LastWindow = LastWindow>(
  table: SleepWindows<'query'>,
  userId: string,
): Promise<W | null> {
  const { Items = [] } = await query(table, { ...inPartition({ userId }), ScanIndexForward: false, Limit: 1 });
  return (Items[0] as W | undefined) ?? null;
}

/** The key in `SleepWindowRuns`. */
export function runKey(userId: string, startedOn: string) {
  return { month: startedOn.slice(0, 7), run: `${startedOn}#${userId}` };
}

/** The patient's last run; null if no window was ever released. Strongly consistent. */
export async function readWindowRun(table: SleepWindows<'query'>, userId: string): Promise<Run | null> {
  return runOf(userId, await readLastWindow(table, userId));
}

/** @param last the last release or withdrawal */
export function runOf(userId: string, last: LastWindow | null): Run | null {
  return last && { userId, startedOn: last.startedOn, endedAt: last.isWithdrawn ? last.releasedAt : null };
}

const pageRows = 100;

/**
 * The runs that began in a month, by their start.
 *
 * @param month `2026-11`
 * @param after the `run` after which the list continues; null: from the start
 */
export async function* readRunsOf(
  table: SleepWindowRuns<'query'>,
  { month, after }: { readonly month: string; readonly after: string | null },
): AsyncGenerator<ListedRun> {
  yield* queryEach(table, { ...inPartition({ month }, { run: all }, after), Limit: pageRows });
}

/** Takes a run from the list: it is over, and nobody is reminded of it any more. */
export async function dropRun(
  table: SleepWindowRuns<'removeRow'>,
  { userId, startedOn }: Pick<Run, 'userId' | 'startedOn'>,
): Promise<void> {
  await removeRow(table, runKey(userId, startedOn));
}
