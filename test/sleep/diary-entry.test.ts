import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../functions/sleep/rules/dates.ts';
import { entryProblems } from '../../functions/sleep/rules/diary-entry.ts';
import { contentOf, type EntryStated, figuresOf } from '../../functions/sleep/rules/entry-content.ts';
import { nightOf } from '../../functions/sleep/rules/night.ts';
import { summaryOf, tallyOf } from '../../functions/sleep/rules/summary.ts';
import { instantOf, minuteOf, wallTime } from '../../functions/sleep/rules/zone.ts';
import { night, stated } from './nights.ts';

const date = '2026-06-10';
const now = new Date('2026-06-10T12:00:00.000Z');
const problems = (more: Partial<EntryStated>, at = now, on = date) =>
  entryProblems(contentOf(stated(on, more)), on, at).map(({ path, code }) => `${path} ${code}`);

describe('the checks of an entry', () => {
  test('a possible entry', () => {
    expect(problems({})).toEqual([]);
  });

  test.each<[string, Partial<EntryStated>, string[]]>([
    ['lights off before going to bed', { lightsOffAt: '2026-06-09T21:00:00Z' }, ['lightsOffAt inconsistent']],
    [
      'awake before lights off',
      { finalWakeAt: '2026-06-09T21:30:00Z' },
      ['finalWakeAt inconsistent', 'finalWakeAt inconsistent'],
    ],
    ['up before awake', { outOfBedAt: '2026-06-10T05:00:00Z' }, ['outOfBedAt inconsistent']],
    ['more than 24 hours in bed', { inBedAt: '2026-06-09T05:59:00Z' }, ['outOfBedAt inconsistent']],
    ['no time left for sleep', { sleepOnsetMinutes: 450 }, ['wakeMinutes inconsistent']],
    ['awake without awakenings', { awakenings: 0 }, ['wakeMinutes inconsistent']],
    ['in bed longer than it was', { tryingToSleepAfterWakeMinutes: 1 }, ['tryingToSleepAfterWakeMinutes inconsistent']],
    [
      'nothing of the sleep',
      { lightsOffAt: null, wakeMinutes: null },
      ['lightsOffAt required', 'wakeMinutes required'],
    ],
    [
      'sleep in a night without',
      { slept: false, awakenings: null, wakeMinutes: null, finalWakeAt: null, lightsOffAt: null },
      ['sleepOnsetMinutes inconsistent'],
    ],
  ])('%s', (_case, more, found) => {
    expect(problems(more)).toEqual(found);
  });

  const sleepless = {
    slept: false,
    lightsOffAt: null,
    sleepOnsetMinutes: null,
    awakenings: null,
    wakeMinutes: null,
    finalWakeAt: null,
  };

  test('a night without sleep needs both ends of the time in bed, or neither', () => {
    expect(problems(sleepless)).toEqual([]);
    expect(problems({ ...sleepless, inBedAt: null, outOfBedAt: null })).toEqual([]);
    expect(problems({ ...sleepless, inBedAt: null })).toEqual(['inBedAt required']);
  });

  test.each<[string, string, Partial<EntryStated>, string, string[]]>([
    ['exactly 24 hours', date, { inBedAt: '2026-06-09T06:00:00Z' }, '2026-06-10T12:00:00Z', []],
    ['30 days back', date, {}, '2026-07-10T12:00:00Z', []],
    ['31 days back', date, {}, '2026-07-11T12:00:00Z', ['date too_small']],
    ['just out of bed', date, {}, '2026-06-10T06:00:00Z', []],
    ['not out of bed yet', date, {}, '2026-06-10T05:59:59Z', ['outOfBedAt too_big']],
    ['of tomorrow', date, {}, '2026-06-09T12:00:00Z', ['outOfBedAt too_big', 'date too_big']],
    [
      'another date in its zone',
      date,
      { zone: 'Pacific/Auckland', outOfBedAt: '2026-06-10T14:00:00Z', finalWakeAt: '2026-06-10T13:00:00Z' },
      '2026-06-11T12:00:00Z',
      ['finalWakeAt inconsistent'],
    ],
  ])('by the time of its arrival: %s', (_case, on, more, at, found) => {
    expect(problems(more, new Date(at), on)).toEqual(found);
  });

  test('today is the date in the zone of the entry', () => {
    // In Auckland it is the 11th already, in Berlin still the 10th.
    const more = {
      zone: 'Pacific/Auckland',
      inBedAt: '2026-06-10T09:00:00Z',
      lightsOffAt: '2026-06-10T09:00:00Z',
      finalWakeAt: '2026-06-10T17:00:00Z',
      outOfBedAt: '2026-06-10T17:00:00Z',
    };
    expect(problems(more, new Date('2026-06-10T18:00:00Z'), '2026-06-11')).toEqual([]);
  });

  test('seconds are cut off, and missing values are null', () => {
    const content = contentOf(stated(date, { inBedAt: '2026-06-09T21:59:59.999Z', quality: undefined }));
    expect(content).toMatchObject({
      inBedAt: '2026-06-09T21:59:00.000Z',
      quality: null,
      slept: true,
      tryingToSleepAfterWakeMinutes: 0,
    });
  });

  test.each([
    [1e-200, 0],
    [Number.MIN_VALUE, 0],
    [0.5, 0.5],
    [1 / 3, 0.33],
    [100, 100],
  ])('%d drinks are kept as a number that a table takes: %d', (drinks, kept) => {
    const { alcohol, caffeine } = contentOf(stated(date, { alcohol: { drinks }, caffeine: { drinks } }));
    expect([alcohol?.drinks, caffeine?.drinks]).toEqual([kept, kept]);
  });
});

/** TIB 480, SOL 30, WASO 45, TASAFA 15 (Reed and Sacco 2016), and with 50 minutes of something else in bed before it. */
describe('the published values', () => {
  const example = {
    lightsOffAt: '2026-06-09T22:00:00Z',
    inBedAt: '2026-06-09T22:00:00Z',
    wakeMinutes: 45,
    finalWakeAt: '2026-06-10T05:45:00Z',
    outOfBedAt: '2026-06-10T06:00:00Z',
    tryingToSleepAfterWakeMinutes: 15,
  };

  test('TST 390, 81.25 % by either definition', () => {
    expect(figuresOf(night(date, example))).toMatchObject({
      timeInBedMinutes: 480,
      totalSleepMinutes: 390,
      efficiencyPercent: 81.25,
      episodeEfficiencyPercent: 81.25,
    });
  });

  test('73.58 % by the time in bed, 81.25 % by the duration of the episode', () => {
    expect(figuresOf(night(date, { ...example, inBedAt: '2026-06-09T21:10:00Z' }))).toMatchObject({
      timeInBedMinutes: 530,
      totalSleepMinutes: 390,
      efficiencyPercent: 73.58,
      episodeEfficiencyPercent: 81.25,
    });
  });
});

describe('nights by the clock and by their true length', () => {
  const plain = (on: string, zone: string, from: string, to: string, more: Partial<EntryStated> = {}) =>
    night(on, {
      zone,
      inBedAt: from,
      lightsOffAt: from,
      finalWakeAt: to,
      outOfBedAt: to,
      sleepOnsetMinutes: 0,
      awakenings: 0,
      wakeMinutes: 0,
      ...more,
    });
  const berlin = 'Europe/Berlin';

  test.each<[string, string, string, string, string, number, number, number]>([
    [
      'an ordinary night',
      '2026-06-10',
      berlin,
      '2026-06-09T23:00:00+02:00',
      '2026-06-10T07:00:00+02:00',
      480,
      -60,
      420,
    ],
    [
      'summer time begins',
      '2026-03-29',
      berlin,
      '2026-03-28T23:00:00+01:00',
      '2026-03-29T07:00:00+02:00',
      420,
      -60,
      420,
    ],
    ['summer time ends', '2026-10-25', berlin, '2026-10-24T23:00:00+02:00', '2026-10-25T07:00:00+01:00', 540, -60, 420],
    [
      'in the first of the two hours',
      '2026-10-25',
      berlin,
      '2026-10-25T00:00:00+02:00',
      '2026-10-25T02:30:00+02:00',
      150,
      0,
      150,
    ],
    [
      'in the second of the two hours',
      '2026-10-25',
      berlin,
      '2026-10-25T00:00:00+02:00',
      '2026-10-25T02:30:00+01:00',
      210,
      0,
      150,
    ],
    [
      'a flight to New York',
      '2026-06-10',
      'America/New_York',
      '2026-06-09T22:00:00+02:00',
      '2026-06-10T06:00:00-04:00',
      840,
      -480,
      360,
    ],
    [
      'a flight over the date line',
      '2026-06-10',
      'Pacific/Honolulu',
      '2026-06-10T22:00:00+12:00',
      '2026-06-10T07:00:00-10:00',
      420,
      0,
      420,
    ],
    ['a month’s end', '2026-03-01', berlin, '2026-02-28T22:30:00+01:00', '2026-03-01T06:30:00+01:00', 480, -90, 390],
    ['a year’s end', '2027-01-01', berlin, '2027-01-01T02:00:00+01:00', '2027-01-01T10:00:00+01:00', 480, 120, 600],
    [
      'half an hour’s zone',
      '2026-06-10',
      'Asia/Kolkata',
      '2026-06-09T22:15:00+05:30',
      '2026-06-10T06:15:00+05:30',
      480,
      -105,
      375,
    ],
    [
      'half an hour’s summer time',
      '2026-10-04',
      'Australia/Lord_Howe',
      '2026-10-03T23:00:00+10:30',
      '2026-10-04T07:00:00+11:00',
      450,
      -60,
      420,
    ],
    ['24 hours', '2026-06-10', berlin, '2026-06-09T09:00:00+02:00', '2026-06-10T09:00:00+02:00', 1440, -900, 540],
    ['by day', '2026-06-10', berlin, '2026-06-10T08:00:00+02:00', '2026-06-10T16:00:00+02:00', 480, 480, 960],
  ])('%s', (_case, on, zone, from, to, length, onset, wake) => {
    const content = contentOf(stated(on, { zone, inBedAt: from, lightsOffAt: from, finalWakeAt: to, outOfBedAt: to }));
    expect(entryProblems(content, on, new Date(Date.parse(to) + 1))).toEqual([]);
    expect(plain(on, zone, from, to)).toMatchObject({
      timeInBed: length,
      totalSleep: length,
      onsetMinute: onset,
      wakeMinute: wake,
    });
  });

  // The middle is found here with `Intl` and fractions of hours, not with the rule's own functions.
  test.each<[string, string, string, string, string, string]>([
    ['a night with 25 hours', '2026-10-25', berlin, '2026-10-24T21:35:00Z', '2026-10-25T05:30:00Z', '02:32'],
    ['a night with 23 hours', '2027-03-28', berlin, '2027-03-27T22:35:00Z', '2027-03-28T04:30:00Z', '03:32'],
    [
      'the middle just before the change',
      '2026-10-25',
      berlin,
      '2026-10-24T19:00:00Z',
      '2026-10-25T06:58:00Z',
      '02:59',
    ],
    ['the middle just at the change', '2026-10-25', berlin, '2026-10-24T19:00:00Z', '2026-10-25T07:00:00Z', '02:00'],
    ['half an hour', '2026-10-04', 'Australia/Lord_Howe', '2026-10-03T12:30:00Z', '2026-10-03T20:30:00Z', '03:30'],
    ['New York', '2026-11-01', 'America/New_York', '2026-11-01T03:00:00Z', '2026-11-01T12:00:00Z', '02:30'],
    ['no change', '2026-06-10', berlin, '2026-06-09T21:00:00Z', '2026-06-10T04:31:00Z', '02:45'],
  ])('mid-sleep is the middle of the elapsed time: %s', (_case, on, zone, onset, wake, expected) => {
    const content = contentOf(
      stated(on, {
        ...{ zone, inBedAt: onset, lightsOffAt: onset, sleepOnsetMinutes: 0, wakeMinutes: 0, awakenings: 0 },
        ...{ finalWakeAt: wake, outOfBedAt: wake },
      }),
    );
    const middle = new Date((Date.parse(onset) + Date.parse(wake)) / 2);
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
    expect(format.format(middle)).toBe(expected);
    const found = nightOf(on, content, null);
    expect(figuresOf(found).midSleep).toBe(expected);
    expect(summaryOf(tallyOf([found], []), [found]).midSleep.mean).toBe(expected);
  });

  test('the weekly mean of mid-sleep and the day of the index follow it', () => {
    // Three nights around the change. Each one has its middle at 02:32:30 by the clock of the place.
    const slept = (on: string, onset: string, wake: string) => {
      const times = { inBedAt: onset, lightsOffAt: onset, finalWakeAt: wake, outOfBedAt: wake };
      const none = { sleepOnsetMinutes: 0, wakeMinutes: 0, awakenings: 0 };
      return nightOf(on, contentOf(stated(on, { zone: berlin, ...times, ...none })), null);
    };
    const nights = [
      slept('2026-10-24', '2026-10-23T20:35:00Z', '2026-10-24T04:30:00Z'),
      slept('2026-10-25', '2026-10-24T21:35:00Z', '2026-10-25T05:30:00Z'),
      slept('2026-10-26', '2026-10-25T21:35:00Z', '2026-10-26T05:30:00Z'),
    ];
    const { midSleep, regularity } = summaryOf(tallyOf(nights, []), nights);
    expect(midSleep).toEqual({ mean: '02:32', standardDeviationMinutes: 0 });
    // The second night begins an hour later by the clock than the others, so 60 of 1440 minutes differ in each pair.
    expect(regularity).toEqual({ index: 91.67, pairs: 2 });
  });

  test('a night without sleep', () => {
    const content = contentOf({
      zone: berlin,
      slept: false,
      inBedAt: '2026-06-09T21:00:00Z',
      outOfBedAt: '2026-06-10T05:00:00Z',
    });
    const found = nightOf('2026-06-10', content, null);
    expect(found).toMatchObject({ timeInBed: 480, totalSleep: 0, sleepOnset: null, wake: null, onsetMinute: null });
    expect(figuresOf(found)).toMatchObject({ efficiencyPercent: 0, episodeEfficiencyPercent: 0, midSleep: null });
  });

  test.each<[string, string, number, string]>([
    ['an hour that is not there is as long after midnight', '2026-03-29', 150, '2026-03-29T01:30:00.000Z'],
    ['of an hour that is there twice it is the first', '2026-10-25', 150, '2026-10-25T00:30:00.000Z'],
  ])('%s', (_case, on, minute, at) => {
    expect(new Date(instantOf({ date: on, minute }, berlin)).toISOString()).toBe(at);
  });

  test('an instant is found from its clock time, except in the hour that occurs twice', () => {
    const zones = fc.constantFrom(
      'Europe/Berlin',
      'America/St_Johns',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'UTC',
    );
    const minute = fc.integer({ min: 0, max: 2 * 366 * 1440 }).map((after) => Date.UTC(2025, 0, 1) + after * 60_000);
    fc.assert(
      fc.property(minute, zones, (at, zone) => {
        const shown = wallTime(at, zone);
        const found = instantOf(shown, zone);
        expect(wallTime(found, zone)).toEqual(shown);
        expect([0, 30, 60]).toContain((at - found) / 60_000);
        expect(minuteOf(addDays(shown.date, 1), at, zone)).toBe(shown.minute - 1440);
      }),
    );
  });
});
