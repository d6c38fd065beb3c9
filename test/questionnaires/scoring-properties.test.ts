import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer, Definition, Score } from '../../functions/questionnaires/rules/definition.ts';
import { scoresOf } from '../../functions/questionnaires/rules/scoring.ts';

const total = (definition: Definition, answers: readonly Answer[], scoreId = 'total') => {
  const { value, bandId } = scoresOf(definition, answers).find((each) => each.scoreId === scoreId) ?? {};
  return [value, bandId];
};

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

  test('a sum and a mean are what they are, in whatever order the answers come', () => {
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

  test('a sum with missing answers is between the least and the greatest that it could be', () => {
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

  test('clock times: from one to the other and back is a day, or nothing', () => {
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

  test('whatever the answers are, a value has one band of a scale without gaps', () => {
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

  test('a ratio by nothing is missing', () => {
    expect(givenValue(of([3, 0], { kind: 'ratio' }))).toBeNull();
    expect(givenValue(of([3, 4], { kind: 'ratio', factor: 100 }))).toBe(75);
  });
});
