import { table } from '../../lib/contract/tables.ts';

/** A patient's diary, by the date of waking up: a range of dates is one Query. A deleted entry leaves a tombstone. */
export const SleepEntries = table('SleepEntries', { partitionKey: 'userId', sortKey: 'date', stream: true });

/**
 * The episodes that devices recorded. `<date>#<source>#<hash>` is an episode, by the date on which it ended.
 * `id#<source>#<hash>` says which date this is. The hash is made from the source's own id, so that an episode that is
 * sent again is recognized.
 */
export const SleepEpisodes = table('SleepEpisodes', { partitionKey: 'userId', sortKey: 'episodeKey' });

/**
 * A patient's released sleep windows and the withdrawals, by their number, beginning with `0001`. Rows are written
 * once. `#nodded-off#<date>` says when the diary of this date last said so, even if it says something else now.
 */
export const SleepWindows = table('SleepWindows', { partitionKey: 'userId', sortKey: 'number', stream: true });

/**
 * The runs of sleep windows by the month in which they began, so that reminders find their users without a Scan. `run`
 * is `<date of the first evening>#<userId>`. A withdrawal deletes the row.
 */
export const SleepWindowRuns = table('SleepWindowRuns', { partitionKey: 'month', sortKey: 'run' });
