import { momentsOnCircle } from './clock-times.ts';
import { dayMinutes, dayOf } from './dates.ts';
import { rounded } from './moments.ts';
import type { Night } from './night.ts';

/**
 * The Sleep Regularity Index: how likely somebody is in the same state, asleep or awake, at two times a day apart; 100 for
 * identical days, 0 by chance, −100 for opposite ones (Phillips et al., Sci Rep 2017; 7:3216, doi:10.1038/s41598-017-03171-4):
 * −100 + 200 / (M (N − 1)) · the sum over epochs and days of whether the state is the same.
 *
 * Epochs are minutes of the local clock. A day lasts from half a day before the usual mid-sleep to half a day after it.
 * So no night is cut in two, even if somebody sleeps by day. A day is known if there is an entry of its date, or an
 * entry of a sleep at the usual time of that day that ended just after midnight. Only adjacent known days are compared.
 * Somebody counts as asleep from falling asleep to the final awakening, since a diary does not say when the other
 * awakenings were, and during the naps whose times are stated.
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
 * The usual mid-sleep: the mean, in minutes from the midnight at which a date begins; midnight if there was no sleep.
 * It is a mean of clock times, because a sleep that ends at 00:10 has another date than one that ends at 23:50, and the
 * mean of their minutes would be in neither of them. The majority of the nights decides to which day it belongs.
 */
function usualMidSleep(nights: readonly Night[]): number {
  const doubled = nights.map(({ doubledMidSleep }) => doubledMidSleep).filter((minute) => minute !== null);
  const sorted = doubled.toSorted((one, other) => one - other);
  const most = sorted[sorted.length >>> 1];
  if (most === undefined) return 0;
  const around = 2 * dayMinutes;
  const { count, sum } = momentsOnCircle(doubled, { around, from: -dayMinutes });
  const mean = sum / count;
  return Math.round((mean + around * Math.round((most - mean) / around)) / 2);
}

/** A sleep within six hours of the usual mid-sleep of another day than its date belongs to that other day. */
function knownDay(night: Night, usual: number): number {
  const { doubledMidSleep } = night;
  const off = doubledMidSleep === null ? 0 : doubledMidSleep / 2 - usual;
  const days = Math.round(off / dayMinutes);
  return dayOf(night.date) + (Math.abs(off - days * dayMinutes) <= 360 ? days : 0);
}

type Interval = readonly [from: number, to: number];

/** In minutes since 1970, without overlaps, in order. */
function mergedIntervals(nights: readonly Night[]): Interval[] {
  const found = nights.flatMap(({ date, onsetMinute, wakeMinute, naps }): Interval[] => {
    // In the hour that a clock shows twice, the clock time of waking up can be before that of falling asleep.
    const midnight = dayOf(date) * dayMinutes;
    const night: Interval[] = onsetMinute === null || wakeMinute === null ? [] : [[onsetMinute, wakeMinute]];
    return [...night, ...naps].filter(([from, to]) => from < to).map(([from, to]) => [midnight + from, midnight + to]);
  });
  const merged: [number, number][] = [];
  for (const [from, to] of found.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** The sleeps of the day that begins then, in minutes after its beginning. */
function within(intervals: readonly Interval[], begin: number): Interval[] {
  // By bisection, so that each day of a year costs as little as each day of a week.
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
