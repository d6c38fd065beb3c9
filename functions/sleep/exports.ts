/** What other domains may import of this one's stores; its rules are anybody's. */

export { readLatestDates } from './stores/entry-rows.ts';
