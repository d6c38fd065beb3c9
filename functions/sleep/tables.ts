import { table } from '../../lib/contract/tables.ts';

/** A patient's diary, by the date of waking up: a range of dates is one Query. What was deleted leaves a tombstone. */
export const SleepEntries = table('SleepEntries', { partitionKey: 'userId', sortKey: 'date', stream: true });

/**
 * What devices recorded. Under `<date>#<source>#<hash>` an episode by the date on which it ended, under `id#<source>#<hash>` which
 * date that is: the hash is of the source's own id, by which an episode that is sent again is known.
 */
export const SleepEpisodes = table('SleepEpisodes', { partitionKey: 'userId', sortKey: 'episodeKey' });

/** The sleep windows that were released to a patient, and the withdrawals, by their number, `0001` first. Rows are put once. */
export const SleepWindows = table('SleepWindows', { partitionKey: 'userId', sortKey: 'number', stream: true });
