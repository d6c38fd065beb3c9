import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { addDays, minuteOfClock } from '../../functions/sleep/rules/dates.ts';
import type { Night } from '../../functions/sleep/rules/night.ts';
import { outlookOf, releasedPrescription, type SleepWindow } from '../../functions/sleep/rules/window.ts';
import { currentRules as rules, rulesByVersion } from '../../functions/sleep/rules/window-rules.ts';
import { SleepWindowRelease } from '../../functions/sleep/schemas.ts';
import { plainNight } from './nights.ts';

const today = '2026-06-14';

/** The nights of the last days up to today. */
function nights(count: number, more: Partial<Night> = {}): Night[] {
  return Array.from({ length: count }, (_, index) => plainNight(addDays(today, -index), more));
}

function released(minutes: number, more: Partial<SleepWindow> = {}): SleepWindow {
  return {
    sequence: 1,
    minutes,
    bedTime: '00:00',
    risingTime: '06:30',
    ruleVersion: '1',
    because: ['FIRST_WINDOW'],
    week: { from: '2026-06-01', to: '2026-06-07', nights: 5, meanSleepMinutes: minutes, efficiencyPercent: 80 },
    from: '2026-06-07',
    releasedAt: '2026-06-07T12:00:00.000Z',
    proposalId: 'p',
    proposed: { minutes, risingTime: '06:30' },
    replaces: null,
    isWithdrawn: false,
    by: 'physician',
    screening: null,
    ...{ startedOn: '2026-06-07', sleepyAt: null, lowMoodAt: null, excludedAt: null, sleepySuspensions: 0 },
    ...more,
  };
}

/** Seven nights with this share of 1,000 minutes in bed, in tenths of a percent. */
const sleeping = (permille: number) => nights(7, { timeInBed: 1000, totalSleep: permille });

describe('the first window', () => {
  test.each<[string, Night[], number | null, string[]]>([
    ['the mean sleep of the week', nights(7, { totalSleep: 380 }), 380, ['FIRST_WINDOW']],
    ['rounded to five minutes', nights(7, { totalSleep: 383 }), 385, ['FIRST_WINDOW']],
    ['five nights are enough', nights(5, { totalSleep: 400 }), 400, ['FIRST_WINDOW']],
    ['four are not', nights(4, { totalSleep: 400 }), null, []],
    ['never below five hours', nights(7, { totalSleep: 299 }), 300, ['FIRST_WINDOW']],
    ['which it says', nights(7, { totalSleep: 200 }), 300, ['FIRST_WINDOW', 'AT_LEAST']],
    ['never above nine hours', nights(7, { totalSleep: 600, timeInBed: 620 }), 540, ['FIRST_WINDOW', 'AT_MOST']],
    [
      'a night without sleep counts as one',
      [...nights(4, { totalSleep: 450 }), plainNight('2026-06-10', { slept: false, totalSleep: 0, riseMinute: null })],
      360,
      ['FIRST_WINDOW'],
    ],
    ['nights of more than a week ago do not', [...nights(4), plainNight('2026-06-07')], null, []],
    ['those of tomorrow neither', [...nights(4), plainNight('2026-06-15')], null, []],
  ])('%s', (_case, diary, minutes, because) => {
    const { proposal, waiting } = outlookOf(diary, null, today, rules);
    expect(proposal?.minutes ?? null).toBe(minutes);
    expect(proposal?.because ?? []).toEqual(because);
    expect(waiting).toBe(minutes === null ? 'TOO_FEW_NIGHTS' : null);
  });

  test('ends when the patient usually gets up: the median, rounded to five minutes', () => {
    const rising = [380, 391, 400, 420, 500].map((riseMinute, index) =>
      plainNight(addDays(today, -index), { riseMinute, totalSleep: 390 }),
    );
    expect(outlookOf(rising, null, today, rules).proposal).toMatchObject({
      risingTime: '06:40',
      bedTime: '00:10',
      minutes: 390,
      ruleVersion: '2',
      week: { from: '2026-06-08', to: today, nights: 5, meanSleepMinutes: 390, efficiencyPercent: 81.25 },
    });
  });

  test('ends at the earlier of the two middle times', () => {
    const rising = [380, 400, 420, 440, 500, 510].map((riseMinute, index) =>
      plainNight(addDays(today, -index), { riseMinute }),
    );
    expect(outlookOf(rising, null, today, rules).proposal?.risingTime).toBe('07:00');
  });

  test('the rising time of a patient who gets up around midnight is between those of the nights', () => {
    // 22:30, 23:50, 23:55, 00:10 and 00:20.
    const rising = [10, 1350, 1430, 20, 1435].map((riseMinute, index) =>
      plainNight(addDays(today, -index), { riseMinute }),
    );
    expect(outlookOf(rising, null, today, rules).proposal?.risingTime).toBe('23:55');
  });

  test('also follows a withdrawn window, under another id', () => {
    const first = outlookOf(nights(7), null, today, rules).proposal;
    const { proposal, waiting } = outlookOf(nights(7), released(360, { from: today, isWithdrawn: true }), today, rules);
    expect(waiting).toBeNull();
    expect(proposal).toEqual({ ...first, proposalId: proposal?.proposalId });
    expect(proposal?.proposalId).not.toBe(first?.proposalId);
  });

  test('follows a window that sleepiness suspended, or that ended: all nights of the week count at once', () => {
    const first = outlookOf(nights(7), null, today, rules).proposal;
    const signs = { sleepyAt: '2026-06-13T08:00:00.000Z', lowMoodAt: null, excludedAt: null };
    const since = { isFirst: true, signs };
    const { proposal, waiting, dueOn } = outlookOf(nights(7), released(360, { from: today }), today, rules, since);
    expect([waiting, dueOn]).toEqual([null, today]);
    expect(proposal).toEqual({ ...first, proposalId: proposal?.proposalId });
    expect(proposal?.proposalId).not.toBe(first?.proposalId);
  });

  test('has another id after each kind of sign: a physician must see the proposal again', () => {
    const none = { sleepyAt: null, lowMoodAt: null, excludedAt: null };
    const at = '2026-06-13T08:00:00.000Z';
    const ids = [none, { ...none, sleepyAt: at }, { ...none, lowMoodAt: at }, { ...none, excludedAt: at }].map(
      (signs) => outlookOf(nights(7), null, today, rules, { isFirst: true, signs }).proposal?.proposalId,
    );
    expect(new Set(ids).size).toBe(4);
  });

  test('needs a diary', () => {
    expect(outlookOf([], null, null, rules)).toEqual({ proposal: null, waiting: 'NO_DIARY', nights: 0, dueOn: null });
  });
});

describe('each later window', () => {
  test.each<[string, number, Night[], number | null, string[]]>([
    ['90 %: a quarter of an hour more', 360, sleeping(900), 375, ['EFFICIENCY_HIGH']],
    ['just below 90 %: the same', 360, sleeping(899), 360, ['EFFICIENCY_BETWEEN']],
    ['80 %: the same', 360, sleeping(800), 360, ['EFFICIENCY_BETWEEN']],
    ['just below 80 %: a quarter of an hour less', 360, sleeping(799), 345, ['EFFICIENCY_LOW']],
    ['not below five hours', 305, sleeping(500), 300, ['EFFICIENCY_LOW', 'AT_LEAST']],
    ['not above nine hours', 535, sleeping(950), 540, ['EFFICIENCY_HIGH', 'AT_MOST']],
    ['below five hours as a physician set it: no less', 270, sleeping(500), 270, ['KEPT_AS_PRESCRIBED']],
    ['the same by so many hours', 270, sleeping(850), 270, ['EFFICIENCY_BETWEEN']],
    ['five hours: no less', 300, sleeping(500), 300, ['EFFICIENCY_LOW', 'AT_LEAST']],
    ['and more from there', 270, sleeping(950), 285, ['EFFICIENCY_HIGH']],
    ['above nine hours as a physician set it: no more', 600, sleeping(950), 600, ['KEPT_AS_PRESCRIBED']],
    ['and less from there', 600, sleeping(500), 585, ['EFFICIENCY_LOW']],
    ['too few nights: none', 360, sleeping(900).slice(0, 4), null, []],
    ['five nights', 360, sleeping(900).slice(0, 5), 375, ['EFFICIENCY_HIGH']],
    ['nobody went to bed', 360, nights(7, { slept: false, timeInBed: 0, totalSleep: 0 }), 345, ['EFFICIENCY_LOW']],
  ])('%s', (_case, before, diary, minutes, because) => {
    const { proposal } = outlookOf(diary, released(before), today, rules);
    expect(proposal?.minutes ?? null).toBe(minutes);
    expect(proposal?.because ?? []).toEqual(because);
    if (proposal) expect(proposal.risingTime).toBe('06:30');
  });

  test('comes a week after the one before, and depends only on nights under that one', () => {
    expect(outlookOf(sleeping(900), released(360, { from: '2026-06-08' }), today, rules)).toMatchObject({
      proposal: null,
      waiting: 'WEEK_NOT_OVER',
      dueOn: '2026-06-15',
      nights: 6,
    });
    expect(outlookOf(sleeping(900), released(360), today, rules)).toMatchObject({
      waiting: null,
      nights: 7,
      dueOn: today,
    });
  });

  test('weeks later it depends on the last seven days', () => {
    expect(outlookOf(sleeping(900), released(360, { from: '2026-04-01' }), today, rules).proposal?.week).toMatchObject({
      from: '2026-06-08',
      to: today,
    });
  });
});

describe('a proposal', () => {
  const proposed = (diary: Night[]) => outlookOf(diary, released(360), today, rules).proposal;

  test('is identified by its inputs', () => {
    expect(proposed(sleeping(900))?.proposalId).toBe(proposed(sleeping(900))?.proposalId);
    expect(proposed(sleeping(900))?.proposalId).not.toBe(proposed(sleeping(901))?.proposalId);
  });

  test('is within the bounds and the step, whatever the diary says', () => {
    const some = fc.array(
      fc.record({ timeInBed: fc.integer({ min: 0, max: 1440 }), share: fc.integer({ min: 0, max: 1000 }) }),
      { maxLength: 7 },
    );
    const before = fc.option(fc.integer({ min: 48, max: 144 }).map((fives) => fives * 5));
    fc.assert(
      fc.property(some, before, (drawn, minutes) => {
        const diary = drawn.map(({ timeInBed, share }, index) =>
          plainNight(addDays(today, -index), { timeInBed, totalSleep: Math.floor((timeInBed * share) / 1000) }),
        );
        const previous = minutes === null ? null : released(minutes);
        const { proposal } = outlookOf(diary, previous, today, rules);
        expect(proposal === null).toBe(diary.length < rules.nightsNeeded);
        if (!proposal) return;
        expect(proposal.minutes % 5).toBe(0);
        expect(proposal.minutes).toBeGreaterThanOrEqual(Math.min(rules.leastMinutes, minutes ?? 1440));
        expect(proposal.minutes).toBeLessThanOrEqual(Math.max(rules.mostMinutes, minutes ?? 0));
        if (minutes !== null) expect(Math.abs(proposal.minutes - minutes)).toBeLessThanOrEqual(rules.stepMinutes);
        const length = (minuteOfClock(proposal.risingTime) - minuteOfClock(proposal.bedTime) + 1440) % 1440;
        expect(length).toBe(proposal.minutes);
        expect(proposal.ruleVersion).toBe(rules.version);
      }),
    );
  });

  test('is released as it is, or as the physician changes it', () => {
    const proposal = proposed(sleeping(900));
    if (!proposal) throw new Error('nothing is proposed');
    expect(releasedPrescription(proposal, {})).toMatchObject({
      minutes: 375,
      risingTime: '06:30',
      bedTime: '00:15',
      because: ['EFFICIENCY_HIGH'],
    });
    expect(releasedPrescription(proposal, { minutes: 375, risingTime: '06:30' }).because).toEqual(['EFFICIENCY_HIGH']);
    expect(releasedPrescription(proposal, { minutes: 270, risingTime: '05:00' })).toMatchObject({
      minutes: 270,
      bedTime: '00:30',
      because: ['EFFICIENCY_HIGH', 'SET_BY_PHYSICIAN'],
    });
  });
});

test('the rules of version 2 are these: another rule is another version', () => {
  expect(rulesByVersion.get('1')).toMatchObject({ version: '1', ages: null, screening: { version: '1.0' } });
  expect(rules).toEqual({
    version: '2',
    nightsNeeded: 5,
    everyDays: 7,
    stepMinutes: 15,
    longerFromPercent: 90,
    shorterBelowPercent: 80,
    leastMinutes: 300,
    mostMinutes: 540,
    leastByPhysician: 240,
    mostByPhysician: 720,
    roundedToMinutes: 5,
    sleepiness: {
      ...{ questionnaireId: 'ess', scoreId: 'total', most: 10, calmDays: 3, suspensionsUntilPhysician: 2 },
      ...{ beforeReleaseDays: 7, dueAfterDays: 14, suspendedAfterDays: 21 },
    },
    depression: { questionnaireId: 'phq-9', scoreId: 'total', physicianFrom: 20, validDays: 28 },
    screening: { questionnaireId: 'sleep-window-screening', version: '2.0', validDays: 28 },
  });
});

test('a physician prescribes no less and no more than the rules allow', () => {
  const takes = (minutes: number) => z.safeParse(SleepWindowRelease, { proposalId: 'p', minutes }).success;
  const { leastByPhysician: least, mostByPhysician: most } = rules;
  expect([least - 5, least, most, most + 5].map(takes)).toEqual([false, true, true, false]);
});
