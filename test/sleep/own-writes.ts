import type { OwnWrites } from '../own-writes.ts';
import { daysAgo, entryOf, episodeOf } from './diary.ts';

const date = daysAgo(2);

export const ownWrites: OwnWrites = {
  putSleepEntry: async ({ call }) => {
    return () => call('PUT', `/sleep/entries/${date}`, entryOf(date));
  },
  deleteSleepEntry: async ({ call }) => {
    await call('PUT', `/sleep/entries/${date}`, entryOf(date));
    return () => call('DELETE', `/sleep/entries/${date}`);
  },
  postSleepEpisodes: async ({ call }) => {
    return () => call('POST', '/sleep/episodes', { episodes: [episodeOf(date)] });
  },
};
