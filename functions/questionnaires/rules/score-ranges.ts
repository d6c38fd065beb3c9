import type { Definition, Input, Item, Score } from './definition.ts';
import { largestScore, minutesOfDay, rounded } from './scoring.ts';

/**
 * The lowest and highest possible value of each score. So no score is published that can leave its bands or grow
 * without limit.
 */

type Interval = { readonly min: number; readonly max: number };
/** Null if it is not known beforehand, such as for a ratio whose divisor can be small. */
type KnownRanges = ReadonlyMap<string, Interval | null>;

type Problem = [field: string, message: string];

/** @returns the interval of each score and its problems, in the order of the definition */
export function scoreRanges({ items, scores }: Pick<Definition, 'items' | 'scores'>) {
  const known = new Map<string, Interval | null>();
  const byItem = new Map(items.map((item) => [item.linkId, intervalOfItem(item)]));
  return scores.map((score) => {
    const interval = intervalOf(score, byItem, known);
    known.set(score.scoreId, interval);
    return { interval, problems: interval ? problemsOf(score, interval) : [] };
  });
}

function problemsOf({ bands }: Score, { min, max }: Interval): Problem[] {
  if (!(min >= -largestScore && max <= largestScore)) return [['of', 'can make a number beyond 1,000,000,000,000']];
  const [first, last] = [bands?.at(0), bands?.at(-1)];
  if (!first || !last || (first.from <= min && max <= last.to)) return [];
  return [['bands', `end with ${first.from} and ${last.to}, and the score can be ${min} to ${max}`]];
}

/** The interval of a number without bounds: the limits of an answer's form. */
const largestAnswer = 1_000_000_000;

function intervalOfItem({ type, options = [], min = -largestAnswer, max = largestAnswer }: Item): Interval {
  if (type === 'boolean') return { min: 0, max: 1 };
  if (type !== 'choice') return { min, max };
  return around(options.flatMap(({ score }) => score ?? []));
}

function intervalOf(score: Score, items: KnownRanges, scores: KnownRanges): Interval | null {
  const { of, allowedMissing = 0, decimals } = score;
  const inputs = of.map((input) => intervalOfInput(input, items, scores));
  const all = inputs.filter((input) => input !== null);
  if (all.length < inputs.length && score.kind !== 'map') return null;
  const exact = combined(all, score, all.length - allowedMissing);
  if (!exact) return null;
  // A sum depends on the order of its addends, by an error of the last digit for each of them.
  const error = Number.EPSILON * all.length * Math.max(Math.abs(exact.min), Math.abs(exact.max));
  return { min: rounded(exact.min - error, decimals), max: rounded(exact.max + error, decimals) };
}

/** @param least the smallest number of inputs that have a value */
function combined(all: Interval[], score: Score, least: number): Interval | null {
  const { kind, of, factor = 1, thresholds = [] } = score;
  if (kind === 'map') return around(thresholds.map(({ value }) => value));
  if (kind === 'clock-difference') return { min: 0, max: minutesOfDay - 1 };
  if (kind === 'ratio') return quotient(all[0], all[1], factor);
  if (kind === 'weighted') {
    const weighted = all.map(({ min, max }, index) => {
      const weight = of[index]?.weight ?? 1;
      return around([min * weight, max * weight]);
    });
    return { min: total(weighted.map(({ min }) => min)), max: total(weighted.map(({ max }) => max)) };
  }
  // The mean of the others replaces missing inputs. So the extremes occur with the fewest inputs.
  const lowest = all.map(({ min }) => min).toSorted((one, other) => one - other);
  const highest = all.map(({ max }) => max).toSorted((one, other) => other - one);
  const times = kind === 'sum' ? all.length : 1;
  const meanOf = (values: number[]) => (total(values.slice(0, least)) / least) * times;
  return { min: meanOf(lowest), max: meanOf(highest) };
}

function quotient(first: Interval | undefined, second: Interval | undefined, factor: number): Interval | null {
  if (!first || !second || (second.min <= 0 && second.max >= 0)) return null;
  const ends = [first.min / second.min, first.min / second.max, first.max / second.min, first.max / second.max];
  return around(ends.map((end) => end * factor));
}

function intervalOfInput({ item, score, ifMissing }: Input, items: KnownRanges, scores: KnownRanges): Interval | null {
  const interval = (item === undefined ? scores.get(score ?? '') : items.get(item)) ?? null;
  return interval && ifMissing !== undefined ? around([interval.min, interval.max, ifMissing]) : interval;
}

function around(values: readonly number[]): Interval {
  return values.length === 0 ? { min: 0, max: 0 } : { min: Math.min(...values), max: Math.max(...values) };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
