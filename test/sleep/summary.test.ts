import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dayOf, periodsIn } from '../../functions/sleep/rules/dates.ts';
import { chosenEpisodes, type Episode } from '../../functions/sleep/rules/episode.ts';
import { momentsOf, spreadOf } from '../../functions/sleep/rules/moments.ts';
import type { Night } from '../../functions/sleep/rules/night.ts';
import { joinedTallies, summaryOf, tallyOf } from '../../functions/sleep/rules/summary.ts';
import { plainNight } from './nights.ts';

const first = '2026-06-01';

describe('a summary', () => {
  test('of nothing', () => {
    expect(summaryOf(tallyOf([], []), [])).toMatchObject({
      nights: 0,
      totalSleepMinutes: { mean: null, standardDeviation: null },
      midSleep: { mean: null, standardDeviationMinutes: null },
      regularity: { index: null, pairs: 0 },
      device: { nights: 0 },
    });
  });

  test('of three nights, one without sleep', () => {
    const nights = [
      plainNight('2026-06-01', { totalSleep: 390, timeInBed: 480, episode: 480, wake: 45 }),
      plainNight('2026-06-02', { totalSleep: 390, timeInBed: 530, episode: 480, wake: 45, onsetMinute: 30 }),
      plainNight('2026-06-03', {
        slept: false,
        totalSleep: 0,
        timeInBed: 400,
        episode: 0,
        sleepOnset: null,
        wake: null,
        onsetMinute: null,
        wakeMinute: null,
        quality: null,
      }),
    ];
    expect(summaryOf(tallyOf(nights, []), nights)).toMatchObject({
      nights: 3,
      nightsWithoutSleep: 1,
      timeInBedMinutes: { mean: 470, standardDeviation: 65.57 },
      totalSleepMinutes: { mean: 260, standardDeviation: 225.17 },
      // Without the night without sleep.
      sleepOnsetMinutes: { mean: 30, standardDeviation: 0 },
      wakeMinutes: { mean: 45, standardDeviation: 0 },
      efficiencyPercent: { mean: 51.61 },
      episodeEfficiencyPercent: { mean: 54.17 },
      // 03:15 and 03:45.
      midSleep: { mean: '03:30', standardDeviationMinutes: 21.21 },
      quality: { mean: 3, standardDeviation: 0 },
    });
  });

  test.each<[string, [number, number][], string, number]>([
    // 16:00 to 23:50, and 16:20 to 00:10 of the date after.
    [
      'of nights that end before and after midnight',
      [
        [960, 1430],
        [-460, 10],
      ],
      '20:05',
      14.14,
    ],
    [
      'of somebody who sleeps by day',
      [
        [480, 960],
        [540, 1020],
      ],
      '12:30',
      42.43,
    ],
    [
      'around midnight',
      [
        [-200, 190],
        [-190, 200],
      ],
      '00:00',
      7.07,
    ],
    // Mid-sleep at 14:55 and 15:05: where the line of a night's sleepers is cut.
    [
      'around three in the afternoon',
      [
        [655, 1135],
        [665, 1145],
      ],
      '15:00',
      7.07,
    ],
    [
      'of opposite times: the mean by night',
      [
        [-90, 390],
        [630, 1110],
        [-90, 390],
      ],
      '06:30',
      415.69,
    ],
  ])('mid-sleep is averaged on the clock: %s', (_case, slept, mean, standardDeviationMinutes) => {
    const nights = slept.map(([onsetMinute, wakeMinute], index) =>
      plainNight(addDays(first, index), { onsetMinute, wakeMinute }),
    );
    expect(summaryOf(tallyOf(nights, []), nights).midSleep).toEqual({ mean, standardDeviationMinutes });
  });

  test('its means and deviations are those of the textbook', () => {
    const numbers = fc.array(fc.integer({ min: -3000, max: 3000 }), { minLength: 2, maxLength: 50 });
    fc.assert(
      fc.property(numbers, (values) => {
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
        const { mean: found, standardDeviation } = spreadOf(momentsOf(values));
        expect(found).toBeCloseTo(mean, 1);
        expect(standardDeviation).toBeCloseTo(Math.sqrt(variance), 1);
      }),
    );
  });
});

const nights: fc.Arbitrary<Night[]> = fc
  .uniqueArray(
    fc.record({
      day: fc.integer({ min: 0, max: 60 }),
      inBed: fc.integer({ min: 0, max: 1440 }),
      share: fc.integer({ min: 0, max: 100 }),
      onset: fc.integer({ min: -300, max: 300 }),
      slept: fc.boolean(),
      quality: fc.option(fc.integer({ min: 1, max: 5 })),
    }),
    { selector: ({ day }) => day },
  )
  .map((drawn) =>
    drawn.map(({ day, inBed, share, onset, slept, quality }) => {
      const totalSleep = slept ? Math.floor((inBed * share) / 100) : 0;
      const of = (value: number) => (slept ? value : null);
      return {
        date: addDays(first, day),
        slept,
        timeInBed: inBed,
        totalSleep,
        episode: totalSleep + share,
        sleepOnset: of(share),
        wake: of(7),
        quality,
        onsetMinute: of(onset),
        wakeMinute: of(onset + totalSleep),
        riseMinute: 400,
        doubledMidSleep: of(2 * onset + totalSleep),
        napMinutes: quality === null ? null : 10 * quality,
        naps: [],
      };
    }),
  );

const episodes: fc.Arbitrary<Episode[]> = fc
  .array(
    fc.record({
      day: fc.integer({ min: 0, max: 60 }),
      source: fc.constantFrom('healthkit', 'health-connect', 'fitbit'),
      from: fc.integer({ min: 0, max: 600 }),
      length: fc.integer({ min: 1, max: 600 }),
      deep: fc.nat(9000),
      plain: fc.nat(20_000),
    }),
  )
  .map((drawn) =>
    drawn.map(({ day, source, from, length, deep, plain }, index): Episode => {
      const at = (minute: number) =>
        new Date(Date.parse(`${addDays(first, day)}T00:00:00Z`) + minute * 60_000).toISOString();
      const seconds = {
        inBed: 0,
        asleepUnspecified: plain,
        awake: 60,
        asleepCore: 0,
        asleepDeep: deep > 4000 ? deep : 0,
        asleepREM: 0,
      };
      return {
        date: addDays(first, day),
        source: source as Episode['source'],
        sourceId: String(index),
        startAt: at(from),
        endAt: at(from + length),
        seconds,
      };
    }),
  );

describe('the parts of a range', () => {
  const isBefore = (date: string) => (each: { date: string }) => each.date < date;

  test('joined are equal to the whole, wherever it is cut', () => {
    fc.assert(
      fc.property(nights, episodes, fc.integer({ min: 0, max: 60 }), (all, devices, day) => {
        const [cut] = [addDays(first, day)];
        const [early, late] = [all.filter(isBefore(cut)), all.filter((each) => !isBefore(cut)(each))];
        const [earlyDevices, lateDevices] = [
          devices.filter(isBefore(cut)),
          devices.filter((each) => !isBefore(cut)(each)),
        ];
        expect(joinedTallies(tallyOf(early, earlyDevices), tallyOf(late, lateDevices))).toEqual(tallyOf(all, devices));
      }),
    );
  });

  test.each<[string, 'week' | 'month', string, string, string[]]>([
    [
      'a week from Wednesday to Tuesday is two',
      'week',
      '2026-06-03',
      '2026-06-09',
      ['2026-06-03–2026-06-07', '2026-06-08–2026-06-09'],
    ],
    [
      'a month’s end',
      'month',
      '2026-01-31',
      '2026-03-01',
      ['2026-01-31–2026-01-31', '2026-02-01–2026-02-28', '2026-03-01–2026-03-01'],
    ],
    ['a leap year', 'month', '2028-02-01', '2028-02-29', ['2028-02-01–2028-02-29']],
    ['a year’s end in a week', 'week', '2026-12-28', '2027-01-03', ['2026-12-28–2027-01-03']],
    ['one day', 'week', '2026-06-07', '2026-06-07', ['2026-06-07–2026-06-07']],
  ])('%s', (_case, by, from, to, found) => {
    expect(periodsIn({ from, to }, by).map((period) => `${period.from}–${period.to}`)).toEqual(found);
  });

  test('are all its days, each once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -9000, max: 20_000 }),
        fc.integer({ min: 0, max: 400 }),
        fc.constantFrom('week' as const, 'month' as const),
        (day, length, by) => {
          const from = addDays('1995-01-01', day);
          const range = { from, to: addDays(from, length) };
          const lengths = periodsIn(range, by).map(({ from, to }) => dayOf(to) - dayOf(from) + 1);
          expect(lengths.reduce((sum, days) => sum + days)).toBe(length + 1);
        },
      ),
    );
  });
});

describe('which episodes of a date count', () => {
  test('a night that is imported twice counts once, under whatever ids', () => {
    fc.assert(
      fc.property(episodes, fc.infiniteStream(fc.boolean()), (all, isTwice) => {
        const copies = all.flatMap((each) =>
          isTwice.next().value ? [{ ...each, sourceId: `${each.sourceId}-` }] : [],
        );
        expect(tallyOf([], [...copies, ...all])).toEqual(tallyOf([], all));
      }),
    );
  });

  test('does not depend on their order; none of them overlap, and every other one overlaps one that counts', () => {
    const ofOneDate = episodes.map((all) =>
      all
        .map(
          (each): Episode => ({
            ...each,
            date: first,
            startAt: each.startAt.replace(/^.{10}/, first),
            endAt: each.endAt.replace(/^.{10}/, first),
          }),
        )
        .filter(({ startAt, endAt }) => startAt < endAt),
    );
    fc.assert(
      fc.property(ofOneDate, fc.infiniteStream(fc.nat()), (all, random) => {
        const chosen = chosenEpisodes(all);
        const shuffled = all
          .map((each) => ({ each, by: random.next().value }))
          .toSorted((one, other) => one.by - other.by);
        expect(new Set(chosenEpisodes(shuffled.map(({ each }) => each)))).toEqual(new Set(chosen));
        const overlaps = (one: Episode, other: Episode) => one.startAt < other.endAt && other.startAt < one.endAt;
        for (const one of all) {
          const met = chosen.filter((other) => overlaps(one, other));
          expect(met.length).toBeGreaterThanOrEqual(1);
          if (chosen.includes(one)) expect(met).toEqual([one]);
        }
      }),
    );
  });
});
