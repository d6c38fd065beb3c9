import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unmetConstraints } from '../../functions/questionnaires/rules/constraints.ts';
import type { Answer } from '../../functions/questionnaires/rules/definition.ts';
import { scoresOf, shownScores } from '../../functions/questionnaires/rules/scoring.ts';
import { instrument, psqi } from './instruments.ts';

describe('PSQI', () => {
  const definition = instrument('psqi');
  const parts = (answers: Answer[]) =>
    Object.fromEntries(scoresOf(definition, answers).map(({ scoreId, value }) => [scoreId, value]));

  test('a whole case', () => {
    // In bed from 23:30 to 06:15 are 405 minutes; 5 of 6.75 hours are 74.07 %.
    const answers: Answer[] = [
      { linkId: 'psqi-1', time: '23:30' },
      { linkId: 'psqi-2', integer: 45 },
      { linkId: 'psqi-3', time: '06:15' },
      { linkId: 'psqi-4', decimal: 5 },
      ...[3, 2, 1, 0, 1, 0, 2, 1, 3].map((score, index) => {
        return { linkId: `psqi-5${'abcdefghi'[index]}`, choice: String(score) };
      }),
      { linkId: 'psqi-5j-text', text: 'noise' },
      { linkId: 'psqi-5j', choice: '1' },
      { linkId: 'psqi-6', choice: '2' },
      { linkId: 'psqi-7', choice: '1' },
      { linkId: 'psqi-8', choice: '1' },
      { linkId: 'psqi-9', choice: '2' },
    ];
    expect(parts(answers)).toEqual({
      quality: 2,
      'latency-minutes': 2,
      'latency-sum': 5,
      latency: 3,
      duration: 2,
      'minutes-in-bed': 405,
      'efficiency-percent': 74.0741,
      efficiency: 2,
      'disturbance-sum': 11,
      disturbance: 2,
      medication: 1,
      'dysfunction-sum': 3,
      dysfunction: 2,
      global: 14,
    });
    expect(scoresOf(definition, answers).at(-1)).toMatchObject({ scoreId: 'global', value: 14, bandId: 'poor' });
    const shown = shownScores(definition, scoresOf(definition, answers)).map(({ scoreId }) => scoreId);
    expect(shown).toEqual([
      ...['quality', 'latency', 'duration', 'efficiency', 'disturbance', 'medication', 'dysfunction', 'global'],
    ]);
  });

  test.each([
    [15, 0],
    [16, 1],
    [30, 1],
    [31, 2],
    [60, 2],
    [61, 3],
  ])('%i minutes to fall asleep count %i', (latency, score) => {
    expect(parts(psqi({ latency }))['latency-minutes']).toBe(score);
  });

  test.each([
    [7, 0],
    [6.9, 1],
    [6, 1],
    [5.9, 2],
    [5, 2],
    [4.9, 3],
  ])('%f hours of sleep count %i', (hours, score) => {
    expect(parts(psqi({ hours }))).toMatchObject({ duration: score });
  });

  test.each([
    [6.8, 0],
    [6.79, 1],
    [6, 1],
    [5.99, 2],
    [5.2, 2],
    [5.19, 3],
  ])('%f of eight hours in bed: efficiency counts %i', (hours, score) => {
    expect(parts(psqi({ hours }))).toMatchObject({ efficiency: score });
  });

  const answered = (more: Parameters<typeof psqi>[0]) => unmetConstraints(definition, psqi(more));
  test.each([
    ['as long asleep as in bed', { hours: 8 }, []],
    ['a little longer', { hours: 8.01 }, [['psqi-1', 'psqi-3', 'psqi-4']]],
    ['a day of sleep', { hours: 24 }, [['psqi-1', 'psqi-3', 'psqi-4']]],
    ['a night of no sleep', { hours: 0 }, []],
    ['up when going to bed', { bed: '23:00', up: '23:00' }, [['psqi-1', 'psqi-3']]],
    ['a minute in bed', { bed: '23:00', up: '23:01', hours: 0.01 }, []],
    ['hours that no binary number is', { bed: '23:00', up: '06:06', hours: 7.1 }, []],
  ])('%s', (_case, more, linkIds) => {
    expect(answered(more).map((unmet) => unmet.linkIds)).toEqual(linkIds);
  });

  test('exactly the possible answers have an efficiency of 0 to 100 %, for every bedtime', () => {
    const clock = fc.integer({ min: 0, max: 1439 });
    const said = (minutes: number) => new Date(minutes * 60_000).toISOString().slice(11, 16);
    fc.assert(
      fc.property(clock, clock, fc.integer({ min: 0, max: 2400 }), (from, until, hundredths) => {
        const minutesInBed = (until - from + 1440) % 1440;
        const answers = psqi({ bed: said(from), up: said(until), hours: hundredths / 100 });
        const isPossible = minutesInBed > 0 && hundredths * 60 <= minutesInBed * 100;
        expect(unmetConstraints(definition, answers)).toHaveLength(isPossible ? 0 : 1);
        const percent = Number(parts(answers)['efficiency-percent']);
        // Without an impossible answer each is a number of the scale.
        expect(isPossible ? percent >= 0 && percent <= 100 : true).toBe(true);
        expect(parts(answers).global === null).toBe(minutesInBed === 0);
      }),
    );
  });

  test('a disturbance that is rated but not named does not count, as its authors have scored it since 2005', () => {
    const rated = [...psqi({}), { linkId: 'psqi-5j', choice: '3' }];
    expect(parts(rated)).toMatchObject({ 'disturbance-sum': 0 });
    expect(parts([...rated, { linkId: 'psqi-5j-text', text: ' ' }])).toMatchObject({ 'disturbance-sum': 0 });
    expect(parts([...rated, { linkId: 'psqi-5j-text', text: 'noise' }])).toMatchObject({ 'disturbance-sum': 3 });
    expect(parts([...psqi({}), { linkId: 'psqi-5j-text', text: 'noise' }])).toMatchObject({ 'disturbance-sum': 0 });
  });

  test('a disturbance that is not named does not count; any other missing answer leaves no global score', () => {
    expect(parts(psqi({ trouble: 1 }))).toMatchObject({ 'disturbance-sum': 8, disturbance: 1 });
    const without = psqi({}).filter(({ linkId }) => linkId !== 'psqi-5b');
    expect(parts(without)).toMatchObject({ disturbance: null, global: null, latency: 0 });
  });
});
