import fc from 'fast-check';
import { expect } from 'vitest';
import { answerProblems } from '../../functions/questionnaires/rules/answers.ts';
import type { Answer, Definition, Input, Item, Score } from '../../functions/questionnaires/rules/definition.ts';
import { definitionProblems } from '../../functions/questionnaires/rules/definition-problems.ts';
import { enabledAnswers, enabledItems } from '../../functions/questionnaires/rules/enabled-items.ts';
import { scoreRanges } from '../../functions/questionnaires/rules/score-ranges.ts';
import { flagsOf, scoresOf } from '../../functions/questionnaires/rules/scoring.ts';

/** Random definitions that can be published, random answers, and the properties that hold for all of them. */

const text = { en: 'x' };
const number = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ min: -1_000_000, max: 1_000_000, noNaN: true }),
  fc.constantFrom(0, -0, 1e-300, 0.1, -1_000_000, 1_000_000),
);
const seeds = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
/** What an item, a condition or an input is made of: which of those before it follows by counting around. */
const madeItem = fc.record({
  type: fc.constantFrom<Item['type'][]>('choice', 'integer', 'decimal', 'boolean', 'time', 'text'),
  numbers: fc.array(number, { minLength: 1, maxLength: 4 }),
  isBounded: fc.boolean(),
  onItem: fc.option(fc.nat(), { nil: null }),
  exists: fc.boolean(),
});
const madeScore = fc.record({
  kind: fc.constantFrom<Score['kind'][]>('sum', 'mean', 'weighted', 'map', 'clock-difference', 'ratio'),
  of: seeds,
  numbers: fc.array(number, { minLength: 5, maxLength: 5 }),
  ifMissing: fc.option(number, { nil: undefined }),
  allowedMissing: fc.nat(4),
  decimals: fc.option(fc.nat(6), { nil: undefined }),
  isBanded: fc.boolean(),
});

function itemOf(made: typeof madeItem extends fc.Arbitrary<infer M> ? M : never, index: number, before: Item[]): Item {
  const { type, numbers, isBounded, onItem, exists } = made;
  const whole = numbers.map((each) => (type === 'integer' ? Math.trunc(each) : each));
  const asked = onItem === null ? undefined : before[onItem % Math.max(before.length, 1)];
  const isNumber = type === 'integer' || type === 'decimal';
  return {
    linkId: `i${index}`,
    type,
    text,
    ...(type === 'choice' && { options: numbers.map((score, at) => ({ value: `o${at}`, text, score })) }),
    ...(isNumber && isBounded && { min: Math.min(...whole), max: Math.max(...whole) }),
    ...(asked && { enableWhen: [{ linkId: asked.linkId, operator: 'exists' as const, boolean: exists }] }),
  };
}

function inputsOf(kind: Score['kind'], of: number[], items: Item[], before: Score[], ifMissing?: number): Input[] {
  const counted = items
    .filter(({ type }) => type !== 'time' && type !== 'text')
    .map(({ linkId }) => ({ item: linkId }));
  const times = items.filter(({ type }) => type === 'time').map(({ linkId }) => ({ item: linkId }));
  const from = kind === 'clock-difference' ? times : [...counted, ...before.map(({ scoreId }) => ({ score: scoreId }))];
  const many = kind === 'map' ? 1 : kind === 'ratio' || kind === 'clock-difference' ? 2 : of.length;
  return Array.from({ length: from.length === 0 ? 0 : many }, (_, index) => ({
    ...(from[(of[index % of.length] ?? 0) % from.length] as Input),
    ...(ifMissing !== undefined && index === 0 && kind !== 'clock-difference' && { ifMissing }),
  }));
}

const anyDefinition: fc.Arbitrary<Definition> = fc
  .tuple(fc.array(madeItem, { minLength: 1, maxLength: 6 }), fc.array(madeScore, { minLength: 1, maxLength: 6 }))
  .map(([itemsMade, scoresMade]) => {
    const items: Item[] = [];
    for (const [index, made] of itemsMade.entries()) items.push(itemOf(made, index, items));
    const scores: Score[] = [];
    for (const { kind, of, numbers, ifMissing, allowedMissing, decimals, isBanded } of scoresMade) {
      const inputs = inputsOf(kind, of, items, scores, ifMissing);
      if (inputs.length === 0) continue;
      const isMean = kind === 'sum' || kind === 'mean';
      const [at = 0, low = 0, high = 0, factor = 1] = numbers;
      const score: Score = {
        scoreId: `s${scores.length}`,
        label: text,
        kind,
        of: inputs.map((input, index) => (kind === 'weighted' ? { ...input, weight: numbers[index] ?? 1 } : input)),
        ...(isMean && { allowedMissing: allowedMissing % inputs.length }),
        ...(kind === 'map' && {
          thresholds: [
            { below: at, value: low },
            { atLeast: at, value: high },
          ],
        }),
        ...(kind === 'ratio' && { factor }),
        ...(decimals !== undefined && { decimals }),
      };
      const range = scoreRanges({ items, scores: [...scores, score] }).at(-1)?.interval;
      const band = range && { bandId: 'all', from: range.min, to: range.max, label: text };
      scores.push(isBanded && band ? { ...score, bands: [band] } : score);
    }
    const flags = scores.map(({ scoreId }) => ({ code: `above-${scoreId}`, score: scoreId, above: 0 }));
    return { questionnaireId: 'q', version: '1', defaultLocale: 'en', title: text, items, scores, flags };
  })
  .filter((definition) => definitionProblems(definition).length === 0);

/** Each item's, at its bounds as often as not, or none. */
function anyAnswers({ items }: Definition): fc.Arbitrary<Answer[]> {
  return fc.tuple(...items.map((item) => fc.option(anyAnswer(item), { nil: null, freq: 3 }))).map((answers) => {
    return answers.filter((answer) => answer !== null);
  });
}

function anyAnswer({
  linkId,
  type,
  options = [],
  min = -1_000_000_000,
  max = 1_000_000_000,
}: Item): fc.Arbitrary<Answer> {
  if (type === 'choice') return fc.constantFrom(...options).map(({ value }) => ({ linkId, choice: value }));
  if (type === 'boolean') return fc.boolean().map((boolean) => ({ linkId, boolean }));
  if (type === 'text') return fc.constantFrom('x', '', ' ').map((said) => ({ linkId, text: said }));
  if (type === 'time') return fc.constantFrom('00:00', '23:59', '07:30').map((time) => ({ linkId, time }));
  if (type === 'integer') {
    return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max })).map((integer) => ({ linkId, integer }));
  }
  return fc
    .oneof(fc.constantFrom(min, max), fc.double({ min, max, noNaN: true }))
    .map((decimal) => ({ linkId, decimal }));
}

/** A definition, answers to it, and the same ones in another order. */
export const anyCase = anyDefinition.chain((definition) =>
  anyAnswers(definition).chain((answers) =>
    fc.shuffledSubarray(answers, { minLength: answers.length }).map((turned) => ({ definition, answers, turned })),
  ),
);

type Case = typeof anyCase extends fc.Arbitrary<infer C> ? C : never;

/** @throws where one of the interpreter's properties does not hold */
export function expectSound({ definition, answers, turned }: Case): void {
  expect(answerProblems(definition, answers)).toEqual([]);
  const results = scoresOf(definition, answers);
  const flags = flagsOf(definition, answers, results);
  // The order of the answers does not matter.
  expect([scoresOf(definition, turned), flagsOf(definition, turned, results)]).toEqual([results, flags]);
  // Hidden items count as unanswered, whatever their answers are.
  const enabled = enabledItems(definition, answers);
  const asked = answers.filter(({ linkId }) => enabled.has(linkId));
  expect(scoresOf(definition, asked)).toEqual(results);
  expect(scoresOf(definition, enabledAnswers(definition, answers))).toEqual(results);
  for (const [index, { interval }] of scoreRanges(definition).entries()) {
    const { value, bandId } = results[index] ?? { value: null, bandId: null };
    if (value === null) continue;
    expect([Number.isFinite(value), Object.is(value, -0)]).toEqual([true, false]);
    expect(interval === null || (interval.min <= value && value <= interval.max)).toBe(true);
    expect(bandId).toBe(definition.scores[index]?.bands ? 'all' : null);
  }
}
