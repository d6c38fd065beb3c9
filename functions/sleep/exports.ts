/** What other domains may import of this one's stores; its rules are anybody's. */

export { readEntries, readLatestDates } from './stores/entry-rows.ts';
export { readEpisodes } from './stores/episode-rows.ts';
export { readNewestDiary, readNewestEntries, readNewestEpisodes, readNewestWindows } from './stores/newest-rows.ts';
