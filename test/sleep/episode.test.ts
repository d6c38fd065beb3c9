import { describe, expect, test } from 'vitest';
import {
  asleepSeconds,
  chosenEpisodes,
  type Episode,
  type EpisodeInput,
  episodeOf,
  episodeProblems,
  packedStages,
} from '../../functions/sleep/rules/episode.ts';
import { type Source, sources, stageOf, stages } from '../../functions/sleep/rules/stages.ts';
import { sleepSources, sleepStageNames } from '../../functions/sleep/schemas.ts';

const now = new Date('2026-06-10T12:00:00.000Z');
const stage = (name: string, from: string, to: string) => ({
  stage: name,
  startAt: `2026-06-10T${from}:00.000Z`,
  endAt: `2026-06-10T${to}:00.000Z`,
});
const input = (more: Partial<EpisodeInput> = {}): EpisodeInput => ({
  source: 'healthkit',
  sourceId: 'one',
  zone: 'Europe/Berlin',
  startAt: '2026-06-10T00:00:00.000Z',
  endAt: '2026-06-10T06:00:00.000Z',
  stages: [
    stage('inBed', '00:00', '06:00'),
    stage('asleepCore', '00:30', '03:00'),
    stage('asleepDeep', '03:00', '04:00'),
    stage('awake', '04:00', '04:10'),
    stage('asleepREM', '04:10', '06:00'),
  ],
  ...more,
});

/** What each source calls the stages. */
const calls: readonly [Source, string, string | null][] = [
  ...stages.map((stage): [Source, string, string] => ['healthkit', stage, stage]),
  ['healthkit', 'REM', null],
  ['healthkit', 'constructor', null],
  ['health-connect', 'UNKNOWN', 'inBed'],
  ['health-connect', 'AWAKE', 'awake'],
  ['health-connect', 'SLEEPING', 'asleepUnspecified'],
  ['health-connect', 'OUT_OF_BED', 'awake'],
  ['health-connect', 'LIGHT', 'asleepCore'],
  ['health-connect', 'DEEP', 'asleepDeep'],
  ['health-connect', 'REM', 'asleepREM'],
  ['health-connect', 'AWAKE_IN_BED', 'awake'],
  ['fitbit', 'wake', 'awake'],
  ['fitbit', 'light', 'asleepCore'],
  ['fitbit', 'deep', 'asleepDeep'],
  ['fitbit', 'rem', 'asleepREM'],
  ['fitbit', 'asleep', 'asleepUnspecified'],
  ['fitbit', 'restless', 'awake'],
  ['fitbit', 'awake', 'awake'],
];

test.each(calls)('%s calls it %s: %s', (source, name, found) => {
  expect(stageOf(source, name)).toBe(found);
});

test('requests use the names of the sources', () => {
  const names = calls.filter(([, , found]) => found !== null).map(([, name]) => name);
  expect([...sleepStageNames].toSorted()).toEqual([...new Set(names)].toSorted());
  expect(sleepSources).toEqual(sources);
});

test('the values of HealthKit’s names are their positions', () => {
  expect(stages.map((name, value) => [value, name])).toEqual([
    [0, 'inBed'],
    [1, 'asleepUnspecified'],
    [2, 'awake'],
    [3, 'asleepCore'],
    [4, 'asleepDeep'],
    [5, 'asleepREM'],
  ]);
});

describe('an episode', () => {
  test('sums the minutes by stage, on the date on which it ended', () => {
    expect(episodeProblems(input(), 'e', now)).toEqual([]);
    const episode = episodeOf(input());
    expect(episode).toMatchObject({
      date: '2026-06-10',
      seconds: { inBed: 21_600, asleepCore: 9000, asleepDeep: 3600, awake: 600, asleepREM: 6600 },
    });
    expect(asleepSeconds(episode)).toBe(19_200);
    expect(episodeOf(input({ zone: 'Pacific/Honolulu' })).date).toBe('2026-06-09');
  });

  test('keeps its stages in a few bytes', () => {
    expect(packedStages(input())).toBe('0:21600 @1800:3:9000 4:3600 2:600 5:6600');
  });

  const none = { source: 'health-connect' as const, stages: [] };

  test('without stages counts as sleep as a whole', () => {
    const whole = input(none);
    expect(episodeOf(whole).seconds).toMatchObject({ asleepUnspecified: 21_600, inBed: 0 });
    expect(packedStages(whole)).toBe('1:21600');
  });

  test.each<[string, Partial<EpisodeInput>, string[]]>([
    ['no length', { endAt: '2026-06-10T00:00:00.000Z', ...none }, ['e.endAt']],
    ['more than a day', { startAt: '2026-06-09T05:59:00.000Z', ...none }, ['e.endAt']],
    ['in the future', { endAt: '2026-06-10T12:00:01.000Z', ...none }, ['e.endAt']],
    [
      'longer ago than a year',
      { startAt: '2025-06-01T00:00:00.000Z', endAt: '2025-06-01T06:00:00.000Z', ...none },
      ['e.endAt'],
    ],
    ['no stages, of a source whose nights have some', { stages: [] }, ['e.stages']],
    ['no stages, of a session that may have none', none, []],
    ['another source’s name', { stages: [stage('REM', '01:00', '02:00')] }, ['e.stages[0].stage']],
    ['a stage outside of it', { stages: [stage('awake', '05:00', '06:01')] }, ['e.stages[0]']],
    ['a stage without length', { stages: [stage('awake', '05:00', '05:00')] }, ['e.stages[0].endAt']],
    [
      'stages that overlap',
      { stages: [stage('asleepREM', '01:00', '02:00'), stage('awake', '01:59', '02:10')] },
      ['e.stages[1].startAt'],
    ],
  ])('%s', (_case, more, paths) => {
    expect(episodeProblems(input(more), 'e', now).map(({ path }) => path)).toEqual(paths);
  });
});

describe('the episode that counts among overlapping ones', () => {
  const episode = (sourceId: string, more: Partial<EpisodeInput> = {}): Episode =>
    episodeOf(input({ sourceId, ...more }));
  const plain = { stages: [stage('asleepUnspecified', '00:00', '06:00')] };

  test.each<[string, Episode[], string[]]>([
    [
      'the one with distinct stages, though it has less sleep',
      [episode('plain', plain), episode('staged')],
      ['staged'],
    ],
    [
      'the one that tells of sleep, not the one of time in bed',
      [episode('bed', { stages: [stage('inBed', '00:00', '06:00')] }), episode('plain', plain)],
      ['plain'],
    ],
    [
      'the one with more sleep',
      [episode('less', { stages: [stage('asleepDeep', '01:00', '02:00')] }), episode('more')],
      ['more'],
    ],
    [
      'by source, where all else is equal',
      [
        episode('b', { source: 'fitbit', stages: [stage('deep', '01:00', '02:00')] }),
        episode('a', { source: 'health-connect', stages: [stage('DEEP', '01:00', '02:00')] }),
      ],
      ['a'],
    ],
    ['by id in the end', [episode('2'), episode('1')], ['1']],
    [
      'a nap as well',
      [
        episode('night'),
        episode('nap', { startAt: '2026-06-10T06:00:00.000Z', endAt: '2026-06-10T07:00:00.000Z', stages: [] }),
      ],
      ['night', 'nap'],
    ],
  ])('%s', (_case, all, ids) => {
    expect(chosenEpisodes(all).map(({ sourceId }) => sourceId)).toEqual(ids);
    expect(new Set(chosenEpisodes(all.toReversed()))).toEqual(new Set(chosenEpisodes(all)));
  });
});
