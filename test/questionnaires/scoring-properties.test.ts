import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { unmetConstraints } from '../../functions/questionnaires/rules/constraints.ts';
import type { Answer, Definition, Score } from '../../functions/questionnaires/rules/definition.ts';
import { definitionProblems } from '../../functions/questionnaires/rules/definition-problems.ts';
import { scoresOf } from '../../functions/questionnaires/rules/scoring.ts';
import { QuestionnaireContent } from '../../functions/questionnaires/schemas.ts';
import { anyCase, expectSound } from './any-definition.ts';

const total = (definition: Definition, answers: readonly Answer[], scoreId = 'total') => {
  const { value, bandId } = scoresOf(definition, answers).find((each) => each.scoreId === scoreId) ?? {};
  return [value, bandId];
};

test('for every definition and all answers: order does not matter, hidden items do not count, every number is in its range', () => {
  fc.assert(fc.property(anyCase, expectSound), { numRuns: 50 });
});

describe('refused definitions', () => {
  const text = { en: 'x' };
  const item = { linkId: 'i', type: 'integer' as const, text };
  const definition = { questionnaireId: 'q', version: '1', defaultLocale: 'en', title: text, items: [item], flags: [] };
  const score = (scoreId: string, more: Partial<Score> = {}): Score => ({
    ...{ scoreId, label: text, kind: 'sum', of: [{ item: 'i' }] },
    ...more,
  });
  const problems = (scores: Score[], items = definition.items) =>
    definitionProblems({ ...definition, items, scores }).map(({ path, message }) => `${path} ${message}`);
  const band = (from: number, to: number) => [{ bandId: 'b', from, to, label: text }];
  const bounded = [{ ...item, min: 0, max: 3 }];

  test.each<[string, Score[], string]>([
    ['made of itself', [score('a', { of: [{ score: 'a' }] })], 'scores[0].of[0] must be a score before it'],
    [
      'in a circle',
      [score('a', { of: [{ score: 'b' }] }), score('b', { of: [{ score: 'a' }] })],
      'scores[0].of[0] must be a score before it',
    ],
    [
      'that grows without end',
      Array.from({ length: 60 }, (_, index) =>
        score(`s${index}`, {
          kind: 'weighted',
          of: [{ ...(index === 0 ? { item: 'i' } : { score: `s${index - 1}` }), weight: 1_000_000 }],
        }),
      ),
      'scores[0].of can make a number beyond 1,000,000,000,000',
    ],
  ])('a score %s', (_case, scores, problem) => {
    expect(problems(scores)[0]).toBe(problem);
  });

  test.each([
    [0, 2, ['scores[0].bands end with 0 and 2, and the score can be 0 to 3']],
    [1, 3, ['scores[0].bands end with 1 and 3, and the score can be 0 to 3']],
    [0, 3, []],
  ])('bands from %i to %i, where a score can be 0 to 3', (from, to, found) => {
    expect(problems([score('a', { bands: band(from, to) })], bounded)).toEqual(found);
  });

  test('the mean that replaces missing answers is within the bands, too', () => {
    const items = [...bounded, { ...item, linkId: 'j', min: 0, max: 1 }];
    const of = [{ item: 'i' }, { item: 'j' }];
    expect(problems([score('a', { of, bands: band(0, 4) })], items)).toEqual([]);
    // 3 and a missing one are 6.
    expect(problems([score('a', { of, bands: band(0, 4), allowedMissing: 1 })], items)).toHaveLength(1);
    expect(problems([score('a', { of, bands: band(0, 6), allowedMissing: 1 })], items)).toEqual([]);
  });

  test('a number for a missing clock time', () => {
    const items = ['i', 'j'].map((linkId) => ({ linkId, type: 'time' as const, text }));
    const of = [{ item: 'i', ifMissing: 0 }, { item: 'j' }];
    const found = definitionProblems({ ...definition, items, scores: [score('a', { kind: 'clock-difference', of })] });
    expect(found).toMatchObject([{ path: 'scores[0].of[0]' }]);
  });

  const content = { defaultLocale: 'en', title: text, items: [item], scores: [score('a')], flags: [] };
  const refused = (more: object) => {
    const read = z.safeParse(QuestionnaireContent, { ...content, ...more });
    return read.success ? [] : read.error.issues.map(({ path }) => path.join('.'));
  };
  test.each<[string, object, string]>([
    ['an operation that is none', { scores: [{ ...score('a'), kind: 'eval' }] }, 'scores.0.kind'],
    ['one of every object', { scores: [{ ...score('a'), kind: 'constructor' }] }, 'scores.0.kind'],
    [
      'an operator that is none',
      { items: [{ ...item, enableWhen: [{ linkId: 'i', operator: '~', integer: 1 }] }] },
      'items.0.enableWhen.0.operator',
    ],
    ['more scores than 100', { scores: Array.from({ length: 101 }, (_, index) => score(`s${index}`)) }, 'scores'],
    ['more inputs than 200', { scores: [score('a', { of: Array(201).fill({ item: 'i' }) })] }, 'scores.0.of'],
    ['an endless number', { scores: [score('a', { of: [{ item: 'i', weight: 1e308 }] })] }, 'scores.0.of.0.weight'],
    ['no number', { scores: [score('a', { factor: Number.NaN })] }, 'scores.0.factor'],
    ['infinity', { items: [{ ...item, max: Number.POSITIVE_INFINITY }] }, 'items.0.max'],
  ])('%s', (_case, more, path) => {
    expect(refused({})).toEqual([]);
    expect(refused(more)).toEqual([path]);
  });

  test('10,000 inputs of scores that name one another are checked and computed once each', () => {
    const scores = Array.from({ length: 100 }, (_, index) =>
      score(`s${index}`, {
        kind: 'mean',
        of: Array.from({ length: 100 }, (_each, at) => (index === 0 ? { item: 'i' } : { score: `s${at % index}` })),
      }),
    );
    expect(problems(scores, bounded)).toEqual([]);
    const constraints = [{ score: 's99', below: 0, text }];
    const whole = { ...definition, items: bounded, scores, constraints };
    expect(scoresOf(whole, [{ linkId: 'i', integer: 3 }]).at(-1)?.value).toBe(3);
    expect(unmetConstraints(whole, [{ linkId: 'i', integer: 3 }])).toMatchObject([{ linkIds: ['i'] }]);
  });
});

test('a ratio with a tiny divisor has no score: no row can hold the number, and nobody has such a value', () => {
  const items = ['i', 'j'].map((linkId) => ({ linkId, type: 'decimal' as const, text: { en: 'x' } }));
  const of = items.map(({ linkId }) => ({ item: linkId }));
  const score: Score = { scoreId: 'r', label: { en: 'x' }, kind: 'ratio', of, factor: 1_000_000 };
  const title = { en: 'x' };
  const definition = {
    questionnaireId: 'q',
    version: '1',
    defaultLocale: 'en',
    title,
    items,
    scores: [score],
    flags: [],
  };
  const ratio = (decimal: number, by: number) =>
    total(
      definition,
      [
        { linkId: 'i', decimal },
        { linkId: 'j', decimal: by },
      ],
      'r',
    )[0];
  expect(definitionProblems(definition)).toEqual([]);
  expect([ratio(1e9, 1e-308), ratio(0, 1e-308), ratio(1, 0), ratio(-0, 5), ratio(1, 1)]).toEqual([
    null,
    0,
    null,
    0,
    1e6,
  ]);
});

describe('properties of the interpreter', () => {
  const numbers = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 });
  const of = (values: readonly (number | null)[], score: Partial<Score>): [Definition, Answer[]] => {
    const items = values.map((_, index) => ({ linkId: `i${index}`, type: 'integer' as const, text: { en: 'x' } }));
    const made: Score = {
      scoreId: 'total',
      label: { en: 'x' },
      kind: 'sum',
      of: items.map(({ linkId }) => ({ item: linkId })),
      ...score,
    };
    const definition = {
      questionnaireId: 'q',
      version: '1',
      defaultLocale: 'en',
      title: { en: 'x' },
      items,
      scores: [made],
      flags: [],
    };
    return [
      definition,
      values.flatMap((integer, index) => (integer === null ? [] : [{ linkId: `i${index}`, integer }])),
    ];
  };
  const givenValue = ([definition, answers]: [Definition, Answer[]]) => total(definition, answers)[0];

  test('a sum and a mean are correct, in whatever order the answers come', () => {
    fc.assert(
      fc.property(numbers, fc.nat(), (values, seed) => {
        const sum = values.reduce((all, value) => all + value, 0);
        const [definition, answers] = of(values, {});
        const turned = [...answers.slice(seed % answers.length), ...answers.slice(0, seed % answers.length)];
        expect(givenValue([definition, turned])).toBe(sum);
        expect(givenValue(of(values, { kind: 'mean', decimals: 6 }))).toBeCloseTo(sum / values.length, 5);
      }),
    );
  });

  test('a sum with missing answers is between the least and the greatest possible', () => {
    fc.assert(
      fc.property(numbers, fc.nat(3), (values, gone) => {
        const left = values.map((value, index) => (index < gone ? null : value));
        const value = givenValue(of(left, { allowedMissing: 3 }));
        const given = left.filter((each) => each !== null);
        // Nothing given: no score. Null is neither above nor below anything.
        const isBetween =
          value === null ||
          (Number(value) >= Math.min(...given) * values.length - 0.01 &&
            Number(value) <= Math.max(...given) * values.length + 0.01);
        expect([isBetween, value === null]).toEqual([true, given.length === 0]);
      }),
    );
  });

  test('clock times: from one to the other and back is one day, or zero', () => {
    const clock = fc.integer({ min: 0, max: 1439 });
    const said = (minutes: number) =>
      `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    fc.assert(
      fc.property(clock, clock, (one, other) => {
        const difference = (from: number, to: number) => {
          const [definition] = of([0, 0], { kind: 'clock-difference' });
          const items = definition.items.map((item) => ({ ...item, type: 'time' as const }));
          const answers = [
            { linkId: 'i0', time: said(from) },
            { linkId: 'i1', time: said(to) },
          ];
          return total({ ...definition, items }, answers)[0] ?? Number.NaN;
        };
        expect(Number(difference(one, other)) + Number(difference(other, one))).toBe(one === other ? 0 : 1440);
      }),
    );
  });

  test('for all answers, a value has one band of a scale without gaps', () => {
    const bands = [
      { bandId: 'low', from: 0, to: 4, label: { en: 'x' } },
      { bandId: 'high', from: 5, to: 200, label: { en: 'x' } },
    ];
    fc.assert(
      fc.property(numbers, (values) => {
        const [definition, answers] = of(values, { kind: 'mean', bands, decimals: 2 });
        const [value, band] = total(definition, answers);
        expect(band).toBe(Number(value) >= 5 ? 'high' : 'low');
      }),
    );
  });

  test('a ratio with the divisor zero is missing', () => {
    expect(givenValue(of([3, 0], { kind: 'ratio' }))).toBeNull();
    expect(givenValue(of([3, 4], { kind: 'ratio', factor: 100 }))).toBe(75);
  });
});

test('a sum of large numbers is in its range, in whichever order they are added', () => {
  const text = { en: 'x' };
  const sum = { label: text, kind: 'sum', allowedMissing: 0, decimals: 6 } as const;
  const definition = {
    questionnaireId: 'q',
    version: '1',
    defaultLocale: 'en',
    title: text,
    items: [{ linkId: 'i', type: 'integer', text }],
    scores: [
      { ...sum, scoreId: 'two', of: [{ item: 'i' }, { item: 'i' }] },
      {
        ...sum,
        scoreId: 'eight',
        of: [{ score: 'two' }, { item: 'i' }, { item: 'i' }, { score: 'two' }, { score: 'two' }],
      },
    ],
    flags: [],
  } as unknown as Definition;
  const answers = [{ linkId: 'i', integer: 1_000_000_000 }];
  expectSound({ definition, answers, turned: answers });
});
