import type { OwnWrites } from '../own-writes.ts';
import { daysAgo, entryOf, episodeOf } from './diary.ts';
import { screeningDraft, selfGuided } from './screening.ts';
import { mood, sleepiness } from './therapy-people.ts';

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
  releaseOwnSleepWindow: async ({ call }, admin) => {
    for (const days of [0, 1, 2, 3, 4]) {
      await call('PUT', `/sleep/entries/${daysAgo(days + 1)}`, entryOf(daysAgo(days + 1)));
    }
    await call('PATCH', '/users/me', { birthYear: 1980 });
    const { body } = await admin('POST', '/access-codes/batches', selfGuided);
    const [issued] = body.codes as unknown as { code: string }[];
    await call('POST', '/access-codes/redeem', { code: issued?.code ?? '' });
    await call('PUT', '/questionnaires/responses/screening', screeningDraft());
    await call('POST', '/questionnaires/responses/screening/complete');
    for (const [responseId, body] of [
      ['sleepiness', sleepiness(5)],
      ['mood', mood],
    ] as const) {
      await call('PUT', `/questionnaires/responses/${responseId}`, body);
      await call('POST', `/questionnaires/responses/${responseId}/complete`);
    }
    const read = await call('GET', '/sleep/window');
    const { proposalId } = read.body.proposal as unknown as { proposalId: string };
    return () => call('POST', '/sleep/window/release', { proposalId });
  },
};
