import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dayMinutes, dayOf } from '../../functions/sleep/rules/dates.ts';
import type { Night } from '../../functions/sleep/rules/night.ts';
import { regularityOf } from '../../functions/sleep/rules/regularity.ts';
import { night, plainNight } from './nights.ts';

const first = '2026-06-01';
const days = (count: number, more: (index: number) => Partial<Night> = () => ({})) =>
  Array.from({ length: count }, (_, index) => plainNight(addDays(first, index), more(index)));

describe('the Sleep Regularity Index', () => {
  test.each<[string, Night[], number | null, number]>([
    ['identical days', days(7), 100, 6],
    ['identical days without sleep', days(3, () => ({ onsetMinute: null, wakeMinute: null })), 100, 2],
    ['identical days of somebody who sleeps by day', days(2, () => ({ onsetMinute: 480, wakeMinute: 960 })), 100, 1],
    ['identical days of 24 hours', days(3, () => ({ onsetMinute: -701, wakeMinute: 739 })), 100, 2],
    ['no day', [], null, 0],
    ['one day', days(1), null, 0],
    ['no adjacent days', [plainNight('2026-06-01'), plainNight('2026-06-03')], null, 0],
    [
      'opposite days',
      days(4, (index) =>
        index % 2 === 0 ? { onsetMinute: -720, wakeMinute: 720 } : { onsetMinute: null, wakeMinute: null },
      ),
      -100,
      3,
    ],
    // 120 of 1,440 minutes differ: −100 + 200 · 1320 / 1440.
    [
      'an hour later each day',
      days(3, (index) => ({ onsetMinute: -30 + 60 * index, wakeMinute: 420 + 60 * index })),
      83.33,
      2,
    ],
    [
      'a gap, whose days are not compared',
      [...days(2), plainNight('2026-06-04', { onsetMinute: 300, wakeMinute: 700 })],
      100,
      1,
    ],
    // 16:00 to 23:50 on 1 and 2 June, 16:20 to 00:10 on the two days after, whose dates are 4 and 5 June: 40 minutes of one pair.
    [
      'sleeps that end before and after midnight',
      [
        ...days(2, () => ({ onsetMinute: 960, wakeMinute: 1430 })),
        plainNight('2026-06-04', { onsetMinute: -460, wakeMinute: 10 }),
        plainNight('2026-06-05', { onsetMinute: -460, wakeMinute: 10 }),
      ],
      98.15,
      3,
    ],
    [
      'a sleep by day among nights stays with its date',
      [...days(1), plainNight('2026-06-02', { onsetMinute: 690, wakeMinute: 1170 }), plainNight('2026-06-03')],
      4.17,
      2,
    ],
    [
      'both changes of summer time',
      [
        night('2026-03-28', clock('+01:00', '+01:00')('2026-03-28')),
        night('2026-03-29', clock('+01:00', '+02:00')('2026-03-29')),
        night('2026-03-30', clock('+02:00', '+02:00')('2026-03-30')),
      ],
      100,
      2,
    ],
  ])('%s', (_case, nights, index, pairs) => {
    expect(regularityOf(nights)).toEqual({ index, pairs });
  });

  test('a nap counts as sleep, by its times; a number of minutes cannot', () => {
    // One nap of 60 minutes on one of two days: 60 of 1440 minutes differ.
    const nights = (more: Partial<Night>) => [plainNight(first, more), plainNight(addDays(first, 1))];
    expect(regularityOf(nights({ napMinutes: 60, naps: [[840, 900]] }))).toEqual({ index: 91.67, pairs: 1 });
    expect(regularityOf(nights({ napMinutes: 60 }))).toEqual({ index: 100, pairs: 1 });
    // The nap of the evening before, stated in the morning.
    expect(regularityOf(nights({ napMinutes: 60, naps: [[-360, -300]] }))).toEqual({ index: 91.67, pairs: 1 });
    // Within the night it adds nothing.
    expect(regularityOf(nights({ napMinutes: 60, naps: [[0, 60]] }))).toEqual({ index: 100, pairs: 1 });
  });

  /** The definition itself, minute by minute. */
  function byMinutes(nights: readonly Night[]): number | null {
    const asleep = new Set<number>();
    for (const { date, onsetMinute, wakeMinute } of nights) {
      for (let at = onsetMinute ?? 0; at < (wakeMinute ?? 0); at += 1) asleep.add(dayOf(date) * dayMinutes + at);
    }
    const slept = nights.flatMap(({ onsetMinute, wakeMinute }) =>
      onsetMinute === null || wakeMinute === null ? [] : [(onsetMinute + wakeMinute) / 2],
    );
    const middle = usualOf(slept);
    const dayOfNight = ({ date, onsetMinute, wakeMinute }: Night) => {
      if (onsetMinute === null || wakeMinute === null) return dayOf(date);
      const off = (onsetMinute + wakeMinute) / 2 - middle;
      // Within six hours of a whole number of days.
      const days = [-3, -2, -1, 1, 2, 3].find((each) => Math.abs(off - each * 1440) <= 360) ?? 0;
      return dayOf(date) + days;
    };
    const known = new Set(nights.map(dayOfNight));
    let [same, epochs] = [0, 0];
    for (const day of known) {
      if (!known.has(day + 1)) continue;
      for (let minute = day * dayMinutes + middle - 720; minute < day * dayMinutes + middle + 720; minute += 1) {
        epochs += 1;
        if (asleep.has(minute) === asleep.has(minute + dayMinutes)) same += 1;
      }
    }
    return epochs === 0 ? null : -100 + (200 * same) / epochs;
  }

  /** The mean on the clock: each time may count a day later; the choice with the times nearest to their mean counts. */
  function usualOf(middles: readonly number[]): number {
    if (middles.length === 0) return 0;
    const clock = middles.map((at) => ((((at + 720) % 1440) + 1440) % 1440) - 720);
    const ways = [Number.NEGATIVE_INFINITY, ...clock.toSorted((one, other) => one - other)].map((upTo) => {
      const line = clock.map((at) => (at <= upTo ? at + 1440 : at));
      const mean = line.reduce((sum, at) => sum + at, 0) / line.length;
      return { mean, spread: line.reduce((sum, at) => sum + (at - mean) ** 2, 0) };
    });
    const [best] = ways.toSorted((one, other) => one.spread - other.spread);
    const mean = best?.mean ?? 0;
    const most = middles.toSorted((one, other) => one - other)[middles.length >>> 1] ?? 0;
    return Math.round(mean + 1440 * Math.round((most - mean) / 1440));
  }

  test('equals its definition, minute by minute, and stays within its bounds', () => {
    const some = fc.uniqueArray(
      fc.record({
        day: fc.integer({ min: 0, max: 9 }),
        onset: fc.integer({ min: -900, max: 700 }),
        length: fc.integer({ min: 0, max: 1440 }),
        slept: fc.boolean(),
      }),
      { selector: ({ day }) => day, maxLength: 10 },
    );
    fc.assert(
      fc.property(some, (drawn) => {
        const nights = drawn.map(({ day, onset, length, slept }) =>
          plainNight(
            addDays(first, day),
            slept ? { onsetMinute: onset, wakeMinute: onset + length } : { onsetMinute: null, wakeMinute: null },
          ),
        );
        const { index } = regularityOf(nights);
        const expected = byMinutes(nights);
        if (expected === null) expect(index).toBeNull();
        else {
          // The index has two digits: a half may be rounded either way.
          expect(Math.abs((index ?? Number.NaN) - expected)).toBeLessThanOrEqual(0.005 + 1e-9);
        }
        expect(index ?? 0).toBeGreaterThanOrEqual(-100);
        expect(index ?? 0).toBeLessThanOrEqual(100);
      }),
      { numRuns: 60 },
    );
  });
});

function clock(before: string, after: string) {
  return (date: string) => ({
    inBedAt: `${addDays(date, -1)}T23:00:00${before}`,
    lightsOffAt: `${addDays(date, -1)}T23:00:00${before}`,
    finalWakeAt: `${date}T07:00:00${after}`,
    outOfBedAt: `${date}T07:00:00${after}`,
  });
}
