/** What other domains may import of this one's stores; its rules are anybody's. */

export { readLatestDates } from './stores/entry-rows.ts';
export { readNewestEntries, readNewestWindows } from './stores/newest-rows.ts';
export { latestDays, latestWeeksOf, readLatestWeeks } from './workflows/latest-weeks.ts';
