import { isTime } from '../../../lib/contract/instant.ts';
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

/** Nobody has so many windows, nor a number so long. On others no decision can follow. */
export const mostWindows = 1e6;
export const longestNumber = 64;

/** So many rows that are no windows, which somebody planted, are passed. With more of them nothing is prescribed. */
const mostPassed = 100;

type Numbered = { readonly number: string };
/** @property behind the row behind whose number the next one follows, also where it is no window; null: there is none */
export type LastRead<W> = { readonly window: W | null; readonly behind: (Partial<W> & Numbered) | null };

/** The latest window, which can also be a withdrawal; strongly consistent. */
export async function readLastWindow<W extends LastWindow = LastWindow>(
  table: SleepWindows<'query'>,
  userId: string,
): Promise<LastRead<W>> {
  const newest = { ...inPartition({ userId }), ScanIndexForward: false };
  const { Items: [first] = [] } = await query(table, { ...newest, Limit: 1 });
  if (!first || isWindow(first)) return lastOf<W>(first, first);
  let [passed, behind]: [number, typeof first | undefined] = [0, undefined];
  for await (const row of queryEach(table, newest)) {
    if (hasNumber(row)) behind ??= row;
    if (isWindow(row)) return lastOf<W>(row, behind);
    passed += 1;
    if (passed === mostPassed) break;
  }
  return lastOf<W>(undefined, behind);
}

/** The domain of the windows knows more of a row. */
function lastOf<W>(window: unknown, behind: unknown): LastRead<W> {
  return { window: (window ?? null) as W | null, behind: (behind ?? null) as LastRead<W>['behind'] };
}

/** DynamoDB takes longer ones, and nothing behind the longest. */
const hasNumber = ({ number }: Numbered) => number.length <= longestNumber;

/** Our rows have less than a tenth of this: a withdrawal has what it withdraws, and must fit into a row. */
const largestRow = 20_000;

function isWindow(row: LastWindow & Numbered): boolean {
  const { sequence, startedOn, releasedAt } = row;
  const text = JSON.stringify(row, (_name, value) => (value instanceof Set ? [...value] : value));
  return (
    hasNumber(row) &&
    Number.isSafeInteger(sequence) &&
    Number(sequence) >= 1 &&
    Number(sequence) <= mostWindows &&
    isTime(releasedAt) &&
    isTime(`${startedOn}T00:00:00.000Z`) &&
    text.length <= largestRow
  );
}

/** The key in `SleepWindowRuns`. */
export function runKey(userId: string, startedOn: string) {
  return { month: startedOn.slice(0, 7), run: `${startedOn}#${userId}` };
}

/** The patient's last run; null if no window was ever released. Strongly consistent. */
export async function readWindowRun(table: SleepWindows<'query'>, userId: string): Promise<Run | null> {
  return runOf(userId, (await readLastWindow(table, userId)).window);
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
