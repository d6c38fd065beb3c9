import { accepted, type PersonalRows } from '../personal-rows.ts';
import { daysAgo, entryOf, episodeOf } from './diary.ts';

const date = daysAgo(2);

export const personalRows: PersonalRows = async ({ call, canary }) => {
  await accepted(call('PUT', `/sleep/entries/${date}`, entryOf(date, { notes: canary, noddedOff: true })));
  await accepted(call('POST', '/sleep/episodes', { episodes: [episodeOf(date, { sourceId: canary })] }));
};
