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
 * When a patient's diary said that the patient nodded off: `<time of arrival>#<date>`, each time anew, and for good, whatever the entry
 * says now. The time is the key, so whoever writes the diary can add a sign and date none back.
 */
export const SleepinessSigns = table('SleepinessSigns', { partitionKey: 'userId', sortKey: 'sign' });

export { SleepWindowRuns, SleepWindows } from '../window-runs/tables.ts';
