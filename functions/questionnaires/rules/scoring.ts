import { type Answer, type Definition, type FlagRule, type Input, isIn, type Score } from './definition.ts';
import { enabledAnswers } from './enabled-items.ts';

/** The interpreter of a questionnaire's scores and flags, which are data. Pure: the same answers give the same results for ever. */

/**
 * Changes when the interpreter would compute another result from the same data. Stored results are never computed
 * again.
 */
const interpreter = 1;

export type ScoreResult = {
  readonly scoreId: string;
  /** Null if too many inputs are missing by the score's own rule. */
  readonly value: number | null;
  readonly bandId: string | null;
  /** How many of its inputs had no answer. */
  readonly missing: number;
  /** The rule: `phq-9/1.0/1` is the questionnaire, its version and the version of the interpreter. */
  readonly rule: string;
};

/** In the order of the definition, including hidden scores. */
export function scoresOf(definition: Definition, answers: readonly Answer[]): ScoreResult[] {
  const rule = `${definition.questionnaireId}/${definition.version}/${interpreter}`;
  const known = knownOf(definition, answers);
  return definition.scores.map((score) => {
    const { value, missing } = evaluated(score, known);
    known.scores.set(score.scoreId, value);
    return { scoreId: score.scoreId, value, bandId: bandOf(score, value), missing, rule };
  });
}

/** The results that people are shown. */
export function shownScores(definition: Pick<Definition, 'scores'>, results: readonly ScoreResult[]): ScoreResult[] {
  const hidden = new Set(definition.scores.filter(({ isHidden }) => isHidden).map(({ scoreId }) => scoreId));
  return results.filter(({ scoreId }) => !hidden.has(scoreId));
}

/** The codes of the flags that are raised, each once. */
export function flagsOf(definition: Definition, answers: readonly Answer[], results: readonly ScoreResult[]): string[] {
  const { items } = knownOf(definition, answers);
  const scores = new Map(results.map(({ scoreId, value }) => [scoreId, value]));
  const isRaised = ({ item, score, ...range }: FlagRule) => {
    const value = (item === undefined ? scores.get(score ?? '') : items.get(item)) ?? null;
    return value !== null && isIn(value, range);
  };
  return [...new Set(definition.flags.filter(isRaised).map(({ code }) => code))];
}

type KnownAnswers = {
  /** The number of an answer. */
  readonly items: ReadonlyMap<string, number | null>;
  /** Minutes after midnight. */
  readonly clock: ReadonlyMap<string, number>;
  readonly scores: Map<string, number | null>;
};

function knownOf(definition: Definition, answers: readonly Answer[]): KnownAnswers {
  const asked = enabledAnswers(definition, answers);
  const items = new Map(definition.items.map((item) => [item.linkId, item]));
  const counted = (answer: Answer): number | null => {
    if (answer.boolean !== undefined) return answer.boolean ? 1 : 0;
    if (answer.choice === undefined) return answer.integer ?? answer.decimal ?? null;
    return items.get(answer.linkId)?.options?.find(({ value }) => value === answer.choice)?.score ?? null;
  };
  return {
    items: new Map(asked.map((answer) => [answer.linkId, counted(answer)])),
    clock: new Map(asked.flatMap(({ linkId, time }) => (time === undefined ? [] : [[linkId, minutesOf(time)]]))),
    scores: new Map(),
  };
}

type Evaluated = { readonly value: number | null; readonly missing: number };

function evaluated(score: Score, known: KnownAnswers): Evaluated {
  const values = score.of.map((input) => givenInput(score, input, known));
  const given = values.filter((value) => value !== null);
  const missing = values.length - given.length;
  if (missing > (score.allowedMissing ?? 0) || given.length === 0) return { value: null, missing };
  const value = computed(score, given, values.length);
  return { value: value === null || !isBounded(value) ? null : rounded(value, score.decimals), missing };
}

/**
 * A number above this limit says nothing about a person. A definition that can exceed it cannot be published; only the
 * quotient of a ratio is not checked then.
 */
export const largestScore = 1e12;

/** Not NaN either, because no row can store it. */
function isBounded(value: number): boolean {
  return Math.abs(value) <= largestScore;
}

function givenInput({ kind }: Score, { item, score, ifMissing }: Input, known: KnownAnswers): number | null {
  if (kind === 'clock-difference') return known.clock.get(item ?? '') ?? null;
  return (item === undefined ? known.scores.get(score ?? '') : known.items.get(item)) ?? ifMissing ?? null;
}

/** @param given the inputs that are not missing, out of `count` */
function computed(score: Score, given: readonly number[], count: number): number | null {
  const [first = 0, second = 0] = given;
  switch (score.kind) {
    case 'sum':
      return given.length === count ? total(given) : (total(given) / given.length) * count;
    case 'mean':
      return total(given) / given.length;
    case 'weighted':
      return total(given.map((value, index) => value * (score.of[index]?.weight ?? 1)));
    case 'map':
      return score.thresholds?.find((threshold) => isIn(first, threshold))?.value ?? null;
    case 'clock-difference':
      return (second - first + minutesOfDay) % minutesOfDay;
    case 'ratio':
      return second === 0 ? null : (first / second) * (score.factor ?? 1);
  }
}

function bandOf({ bands = [] }: Score, value: number | null): string | null {
  if (value === null) return null;
  const band = bands.findLast(({ from }) => value >= from);
  return band && (value <= band.to || band !== bands.at(-1)) ? band.bandId : null;
}

export const minutesOfDay = 1440;

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Half up, as a person would: 2.675 is a little less in binary. Never -0. */
export function rounded(value: number, decimals = 2): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale * (1 + Number.EPSILON)) / scale + 0;
}
