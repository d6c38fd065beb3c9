import { runKey } from '../../functions/window-runs/exports.ts';
import { accepted, type PersonalRows } from '../personal-rows.ts';
import { daysAgo, entryOf, episodeOf } from './diary.ts';

const date = daysAgo(2);

export const personalRows: PersonalRows = async ({ userId, call, canary, put }) => {
  await accepted(call('PUT', `/sleep/entries/${date}`, entryOf(date, { notes: canary, noddedOff: true })));
  await accepted(call('POST', '/sleep/episodes', { episodes: [episodeOf(date, { sourceId: canary })] }));
  // A window and its run. Only the window leads to the row of the run.
  const window = { sequence: 1, from: date, startedOn: date, zone: canary, isWithdrawn: false };
  await put('SleepWindows', { userId, number: '0001', ...window });
  await put('SleepWindowRuns', { ...runKey(userId, date), userId, startedOn: date });
};
