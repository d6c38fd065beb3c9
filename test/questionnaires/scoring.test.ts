import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { missingAnswers } from '../../functions/questionnaires/rules/answers.ts';
import { unmetConstraints } from '../../functions/questionnaires/rules/constraints.ts';
import type { Answer, Definition } from '../../functions/questionnaires/rules/definition.ts';
import { definitionProblems } from '../../functions/questionnaires/rules/definition-problems.ts';
import { flagsOf, scoresOf, shownScores } from '../../functions/questionnaires/rules/scoring.ts';
import { adding, choosing, type Instrument, instrument, instruments } from './instruments.ts';

const total = (definition: Definition, answers: readonly Answer[], scoreId = 'total') => {
  const { value, bandId } = scoresOf(definition, answers).find((each) => each.scoreId === scoreId) ?? {};
  return [value, bandId];
};

test.each(instruments)('the seed %s makes sense', (name) => {
  expect(definitionProblems(instrument(name))).toEqual([]);
});

describe('each edge of a band', () => {
  test.each<[Instrument, [number, string][]]>([
    [
      'phq-9',
      [
        [0, 'minimal'],
        [4, 'minimal'],
        [5, 'mild'],
        [9, 'mild'],
        [10, 'moderate'],
        [14, 'moderate'],
        [15, 'moderately-severe'],
        [19, 'moderately-severe'],
        [20, 'severe'],
        [27, 'severe'],
      ],
    ],
    [
      'gad-7',
      [
        [0, 'minimal'],
        [4, 'minimal'],
        [5, 'mild'],
        [9, 'mild'],
        [10, 'moderate'],
        [14, 'moderate'],
        [15, 'severe'],
        [21, 'severe'],
      ],
    ],
    [
      'isi',
      [
        [0, 'none'],
        [7, 'none'],
        [8, 'subthreshold'],
        [14, 'subthreshold'],
        [15, 'moderate'],
        [21, 'moderate'],
        [22, 'severe'],
        [28, 'severe'],
      ],
    ],
    [
      'ess',
      [
        [0, 'normal'],
        [10, 'normal'],
        [11, 'elevated'],
        [24, 'elevated'],
      ],
    ],
  ])('%s', (name, rows) => {
    const definition = instrument(name);
    for (const [sum, band] of rows) expect(total(definition, adding(definition, sum))).toEqual([sum, band]);
  });

  test.each([
    [0, 0, 'low'],
    [7, 28, 'low'],
    [8, 32, 'reduced'],
    [12, 48, 'reduced'],
    [13, 52, 'good'],
    [25, 100, 'good'],
  ])('who-5: %i raw is %i', (raw, value, band) => {
    const definition = instrument('who-5');
    expect(total(definition, adding(definition, raw))).toEqual([value, band]);
  });

  test('psqi: 5 is good, 6 is poor', () => {
    const definition = instrument('psqi');
    const global = (medication: number) => total(definition, [...psqi({ quality: 3, medication, hours: 7 })], 'global');
    expect(global(2)).toEqual([5, 'good']);
    expect(global(3)).toEqual([6, 'poor']);
  });
});

/** Bed at 23:00, up at 07:00: 480 minutes. */
function psqi({
  quality = 0,
  medication = 0,
  hours = 8,
  latency = 10,
  bed = '23:00',
  up = '07:00',
  trouble = 0,
  day = 0,
}) {
  const definition = instrument('psqi');
  const scores: Record<string, number> = { 'psqi-6': quality, 'psqi-7': medication, 'psqi-8': day };
  const choices = definition.items.filter(({ type, linkId }) => type === 'choice' && linkId !== 'psqi-5j');
  return [
    { linkId: 'psqi-1', time: bed },
    { linkId: 'psqi-2', integer: latency },
    { linkId: 'psqi-3', time: up },
    { linkId: 'psqi-4', decimal: hours },
    ...choices.map(({ linkId }) => {
      const of = linkId.startsWith('psqi-5') && linkId !== 'psqi-5a' ? trouble : 0;
      return { linkId, choice: String(scores[linkId] ?? of) };
    }),
  ];
}

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
    expect(total(definition, answers, 'global')).toEqual([14, 'poor']);
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

  test('what is possible, and that alone, has an efficiency of 0 to 100 %, whenever one goes to bed', () => {
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

  test('a disturbance that is rated and not named counts nothing, as its authors score it since 2005', () => {
    const rated = [...psqi({}), { linkId: 'psqi-5j', choice: '3' }];
    expect(parts(rated)).toMatchObject({ 'disturbance-sum': 0 });
    expect(parts([...rated, { linkId: 'psqi-5j-text', text: ' ' }])).toMatchObject({ 'disturbance-sum': 0 });
    expect(parts([...rated, { linkId: 'psqi-5j-text', text: 'noise' }])).toMatchObject({ 'disturbance-sum': 3 });
    expect(parts([...psqi({}), { linkId: 'psqi-5j-text', text: 'noise' }])).toMatchObject({ 'disturbance-sum': 0 });
  });

  test('a disturbance that is not named counts nothing; another missing answer leaves no global score', () => {
    expect(parts(psqi({ trouble: 1 }))).toMatchObject({ 'disturbance-sum': 8, disturbance: 1 });
    const without = psqi({}).filter(({ linkId }) => linkId !== 'psqi-5b');
    expect(parts(without)).toMatchObject({ disturbance: null, global: null, latency: 0 });
  });
});

describe('missing answers', () => {
  test('PHQ-9: two are replaced by the mean of the others, three are too many', () => {
    const definition = instrument('phq-9');
    expect(total(definition, choosing(definition, [1, 1, 1, 1, 1, 1, 1, null, null]))).toEqual([9, 'mild']);
    expect(total(definition, choosing(definition, [1, 1, 1, 1, 1, 1, null, null, null]))).toEqual([null, null]);
  });

  test.each<[string, (number | null)[], string[], number | null]>([
    ['none', [1, 1, 1, 1, 1, 1, 1, 1, 1], [], 9],
    ['one', [null, 1, 1, 1, 1, 1, 1, 1, 1], [], 9],
    ['two', [null, null, 3, 3, 3, 3, 3, 3, 3], [], 27],
    ['two, and a mean of no whole number', [null, 1, 1, 0, null, 0, 0, 0, 0], [], 3],
    ['three', [null, null, null, 1, 1, 1, 1, 1, 1], [], null],
    ['all but what a person must look at', [null, null, null, null, null, null, null, null, 1], [], null],
    ['what a person must look at', [1, 1, 1, 1, 1, 1, 1, 1, null], ['phq9-9'], 9],
  ])('PHQ-9 can be completed without items 1 to 8, and not without item 9: %s', (_case, given, missing, value) => {
    const definition = instrument('phq-9');
    const answers = choosing(definition, given);
    expect(missingAnswers(definition, answers).map(({ linkId }) => linkId)).toEqual(missing);
    expect(total(definition, answers)[0]).toBe(value);
  });

  test('PSQI can be completed without item 5 j alone', () => {
    const definition = instrument('psqi');
    expect(missingAnswers(definition, psqi({}))).toEqual([]);
    for (const { linkId } of psqi({})) {
      const without = psqi({}).filter((answer) => answer.linkId !== linkId);
      expect(missingAnswers(definition, without).map((item) => item.linkId)).toEqual([linkId]);
    }
  });

  test.each<Instrument>(['gad-7', 'isi', 'ess', 'who-5'])('%s: one is too many, and it cannot be completed', (name) => {
    const definition = instrument(name);
    const answers = adding(definition, 3).slice(1);
    expect(missingAnswers(definition, answers)).toHaveLength(1);
    expect(total(definition, answers)).toEqual([null, null]);
    expect(scoresOf(definition, answers)[0]).toMatchObject({ missing: 1, rule: `${name}/1.0/1` });
  });
});

describe('flags', () => {
  const definition = instrument('phq-9');
  const raised = (item9: number | null) => {
    const answers = choosing(definition, [0, 0, 0, 0, 0, 0, 0, 0, item9]);
    return flagsOf(definition, answers, scoresOf(definition, answers));
  };

  test('PHQ-9: item 9 above 0, whatever the sum', () => {
    expect([null, 0, 1, 2, 3].map(raised)).toEqual([[], [], ['self-harm'], ['self-harm'], ['self-harm']]);
  });

  test('a score in a range; each code once', () => {
    const both: Definition = {
      ...definition,
      flags: [
        ...definition.flags,
        { code: 'severe', score: 'total', atLeast: 20 },
        { code: 'severe', item: 'phq9-1', above: 2 },
      ],
    };
    const answers = adding(both, 27);
    expect(flagsOf(both, answers, scoresOf(both, answers))).toEqual(['self-harm', 'severe']);
  });
});
