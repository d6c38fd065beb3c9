import { describe, expect, test } from 'vitest';
import { missingAnswers } from '../../functions/questionnaires/rules/answers.ts';
import type { Answer, Definition } from '../../functions/questionnaires/rules/definition.ts';
import { definitionProblems } from '../../functions/questionnaires/rules/definition-problems.ts';
import { flagsOf, scoresOf } from '../../functions/questionnaires/rules/scoring.ts';
import { adding, choosing, type Instrument, instrument, instruments, isEnabled, phq9, psqi } from './instruments.ts';

const total = (definition: Definition, answers: readonly Answer[], scoreId = 'total') => {
  const { value, bandId } = scoresOf(definition, answers).find((each) => each.scoreId === scoreId) ?? {};
  return [value, bandId];
};

test.each(instruments)('the seed %s is valid', (name) => {
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

/** As PHQ-9 1.0 was: up to two of items 1 to 8 may be missing, and their mean replaces them. */
function tolerantPhq9(): Definition {
  const { items, scores, ...others } = instrument('phq-9');
  return {
    ...others,
    items: items.map((item) => (item.linkId === 'phq9-9' ? item : { ...item, required: false })),
    scores: scores.map((score) => ({ ...score, allowedMissing: 2, decimals: 0 })),
  };
}

describe('missing answers', () => {
  test('a score that allows two: they are replaced by the mean of the others, three are too many', () => {
    const definition = tolerantPhq9();
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
  ])('such a score, without some answers: %s', (_case, given, missing, value) => {
    const definition = tolerantPhq9();
    const answers = choosing(definition, given);
    expect(missingAnswers(definition, answers).map(({ linkId }) => linkId)).toEqual(missing);
    expect(total(definition, answers)[0]).toBe(value);
  });

  test('PHQ-9: each of its nine items has to be answered; the question on difficulty does not', () => {
    const definition = instrument('phq-9');
    expect(missingAnswers(definition, phq9())).toEqual([]);
    for (const { linkId } of phq9()) {
      const without = phq9().filter((answer) => answer.linkId !== linkId);
      expect(missingAnswers(definition, without).map((item) => item.linkId)).toEqual([linkId]);
      expect(total(definition, without)).toEqual([null, null]);
    }
  });

  test('PHQ-9 asks how difficult it was where any item is above 0, and scores it in no case', () => {
    const definition = instrument('phq-9');
    const asks = (scores: number[]) => isEnabled(definition, choosing(definition, scores), 'phq9-difficulty');
    expect(asks(Array(9).fill(0))).toBe(false);
    for (let item = 0; item < 9; item += 1) expect(asks(Array(9).fill(0).with(item, 1))).toBe(true);
    const answers = [...phq9(), { linkId: 'phq9-difficulty', choice: '3' }];
    expect(total(definition, answers)).toEqual(total(definition, phq9()));
  });

  test('only item 5 j of the PSQI can be left out', () => {
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
