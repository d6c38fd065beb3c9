import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';

/** Two phones send the same recorded night, each as far as its app knows it; before midnight it is of another date. */

const ended = {
  evening: '2026-02-28T23:50:00+01:00',
  early: '2026-03-01T06:30:00+01:00',
  late: '2026-03-01T07:00:00+01:00',
};

const recorded = (endAt: string) => ({
  body: {
    episodes: [
      {
        ...{ source: 'health-connect', sourceId: 'night-1', zone: 'Europe/Berlin' },
        ...{ startAt: '2026-02-28T22:00:00+01:00', endAt, stages: [] },
      },
    ],
  },
});

export const oneEpisode: Scenario = {
  name: 'one-episode',
  domain: 'sleep',
  says: 'Two phones send the same recorded night at once, which has become longer meanwhile and ends on another date.',
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('postSleepEpisodes', recorded(ended.evening));
        await insist('postSleepEpisodes', recorded(ended.late));
      },
    },
    'phone B': { as: patient, does: ({ insist }) => insist('postSleepEpisodes', recorded(ended.early)) },
  },
  clockMoves: [-3000],
  exhaustive: { faults: 0, most: 20_000 },
  invariants: {
    'the night is stored once, on the date that its id names': ({ rows }) => {
      const [night, ...more] = rows('SleepEpisodes').filter(({ sourceId }) => sourceId);
      assert.deepEqual(more, []);
      const named = rows('SleepEpisodes').filter(({ fingerprint }) => fingerprint);
      assert.deepEqual(
        named.map(({ date }) => date),
        [night?.date],
      );
    },
    'what a phone knew before does not replace what it sent later': ({ rows }) => {
      const [night] = rows('SleepEpisodes').filter(({ sourceId }) => sourceId);
      const later = [ended.early, ended.late].map((at) => Date.parse(at));
      assert.ok(later.includes(Date.parse(night?.endAt)), String(night?.endAt));
    },
  },
};
