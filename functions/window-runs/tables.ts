import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';

/** What is known here of a released window: the domain of the windows knows more. */
export type LastWindow = {
  /** From 1. */
  readonly sequence: number;
  /** The date of the first evening of the uninterrupted run of windows to which this one belongs. */
  readonly startedOn: string;
  readonly isWithdrawn: boolean;
  readonly releasedAt: string;
};

/**
 * A patient's released sleep windows and the withdrawals, by their number, beginning with `0001`. Rows are written
 * once.
 */
export const SleepWindows = table<LastWindow & { readonly userId: string; readonly number: string }>()('SleepWindows', {
  partitionKey: 'userId',
  sortKey: 'number',
  stream: true,
});
export type SleepWindows<A extends Action> = Handle<typeof SleepWindows, A>;

/** A row of the list. */
export type ListedRun = {
  readonly month: string;
  readonly run: string;
  readonly userId: string;
  readonly startedOn: string;
};

/**
 * The runs of sleep windows by the month in which they began, so that reminders find their users without a Scan. `run`
 * is `<date of the first evening>#<userId>`. A withdrawal deletes the row.
 */
export const SleepWindowRuns = table<ListedRun>()('SleepWindowRuns', { partitionKey: 'month', sortKey: 'run' });
export type SleepWindowRuns<A extends Action> = Handle<typeof SleepWindowRuns, A>;
