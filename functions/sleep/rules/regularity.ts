import { momentsOnCircle } from './clock-times.ts';
import { dayMinutes, dayOf } from './dates.ts';
import { rounded } from './moments.ts';
import { doubledMidSleep, type Night } from './night.ts';

/**
 * The Sleep Regularity Index: how likely somebody is in the same state, asleep or awake, at two times a day apart; 100 for
 * identical days, 0 by chance, −100 for opposite ones (Phillips et al., Sci Rep 2017; 7:3216, doi:10.1038/s41598-017-03171-4):
 * −100 + 200 / (M (N − 1)) · the sum over epochs and days of whether the state is the same.
 *
 * Epochs are minutes of the clock on the wall; a day lasts from half a day before the usual mid-sleep to half a day after it, so that
 * no night is cut in two, also of somebody who sleeps by day; it is known where there is an entry of its date, or of a sleep at the
 * usual time of that day which ended just after midnight. Only adjacent known days are compared. Asleep is from falling asleep to the final waking, since a diary does not say when the
 * awakenings were.
 */
export function regularityOf(nights: readonly Night[]): { readonly index: number | null; readonly pairs: number } {
  const usual = usualMidSleep(nights);
  const known = new Set(nights.map((night) => knownDay(night, usual)));
  const asleep = mergedIntervals(nights);
  const begin = usual - dayMinutes / 2;
  let [pairs, same] = [0, 0];
  for (const day of [...known].toSorted((one, other) => one - other)) {
    if (!known.has(day + 1)) continue;
    const [one, other] = [within(asleep, day * dayMinutes + begin), within(asleep, (day + 1) * dayMinutes + begin)];
    const both = overlap(one, other);
    pairs += 1;
    same += dayMinutes - (length(one) + length(other) - 2 * both);
  }
  return { index: pairs === 0 ? null : rounded(-100 + (200 * same) / (pairs * dayMinutes)), pairs };
}

/**
 * From the midnight that a date begins with, on average; midnight where nobody slept. By the clock, since a sleep that ends at
 * 00:10 has another date than one that ends at 23:50: the mean of their minutes would be in neither of them. Of which day is
 * what most nights say.
 */
function usualMidSleep(nights: readonly Night[]): number {
  const doubled = nights.map(doubledMidSleep).filter((minute) => minute !== null);
  const sorted = doubled.toSorted((one, other) => one - other);
  const most = sorted[sorted.length >>> 1];
  if (most === undefined) return 0;
  const around = 2 * dayMinutes;
  const { count, sum } = momentsOnCircle(doubled, { around, from: -dayMinutes });
  const mean = sum / count;
  return Math.round((mean + around * Math.round((most - mean) / around)) / 2);
}

/** Within six hours of the usual mid-sleep of another day than its date a sleep is that day's. */
function knownDay(night: Night, usual: number): number {
  const doubled = doubledMidSleep(night);
  const off = doubled === null ? 0 : doubled / 2 - usual;
  const days = Math.round(off / dayMinutes);
  return dayOf(night.date) + (Math.abs(off - days * dayMinutes) <= 360 ? days : 0);
}

type Interval = readonly [from: number, to: number];

/** In minutes since 1970, without overlaps, in order. */
function mergedIntervals(nights: readonly Night[]): Interval[] {
  const found = nights.flatMap(({ date, onsetMinute, wakeMinute }): Interval[] => {
    // In the hour that a clock shows twice, somebody can wake up before falling asleep, by the clock.
    if (onsetMinute === null || wakeMinute === null || wakeMinute <= onsetMinute) return [];
    const midnight = dayOf(date) * dayMinutes;
    return [[midnight + onsetMinute, midnight + wakeMinute]];
  });
  const merged: [number, number][] = [];
  for (const [from, to] of found.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** Those of the day that begins then, in minutes since. */
function within(intervals: readonly Interval[], begin: number): Interval[] {
  // By bisection, so that a year costs no more a day than a week.
  let [low, high] = [0, intervals.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((intervals[middle]?.[1] ?? 0) <= begin) low = middle + 1;
    else high = middle;
  }
  const found: Interval[] = [];
  for (let index = low; index < intervals.length; index += 1) {
    const [from, to] = intervals[index] ?? [Number.POSITIVE_INFINITY, 0];
    if (from >= begin + dayMinutes) break;
    found.push([Math.max(0, from - begin), Math.min(dayMinutes, to - begin)]);
  }
  return found;
}

function length(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, [from, to]) => sum + to - from, 0);
}

function overlap(ones: readonly Interval[], others: readonly Interval[]): number {
  return ones.reduce(
    (sum, [from, to]) =>
      sum + others.reduce((inner, other) => inner + Math.max(0, Math.min(to, other[1]) - Math.max(from, other[0])), 0),
    0,
  );
}
