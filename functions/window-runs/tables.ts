import { table } from '../../lib/contract/tables.ts';

/**
 * A patient's released sleep windows and the withdrawals, by their number, beginning with `0001`. Rows are written
 * once. `#nodded-off#<date>` says when the diary of this date last said so, even if it says something else now.
 */
export const SleepWindows = table('SleepWindows', {
  partitionKey: 'userId',
  sortKey: 'number',
  // The diary says that somebody nodded off, and changes no time of a window.
  adjustable: ['date', 'noddedOffAt', 'fingerprint'],
  stream: true,
});

/**
 * The runs of sleep windows by the month in which they began, so that reminders find their users without a Scan. `run`
 * is `<date of the first evening>#<userId>`. A withdrawal deletes the row.
 */
export const SleepWindowRuns = table('SleepWindowRuns', { partitionKey: 'month', sortKey: 'run' });
