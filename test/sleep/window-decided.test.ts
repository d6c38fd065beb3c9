import { describe, expect, test } from 'vitest';
import { suspensions } from '../../functions/sleep/rules/suspension.ts';
import { languages, reasonIn, reasonsOf } from '../../functions/sleep/rules/texts.ts';
import { tonightOf } from '../../functions/sleep/rules/tonight.ts';
import {
  type Changes,
  correctedPrescription,
  isAsReleased,
  isUnchanged,
  reasonCodes,
  type SleepWindow,
} from '../../functions/sleep/rules/window.ts';
import { currentRules, rulesByVersion } from '../../functions/sleep/rules/window-rules.ts';

/** A physician's decisions about a window, and the answers after them. */

/** Released with these times, where 375 minutes until 06:30 were proposed. */
const released = (minutes: number, risingTime = '06:30'): SleepWindow => ({
  ...{ sequence: 3, minutes, risingTime, bedTime: '00:15', ruleVersion: '1' },
  because: minutes === 375 && risingTime === '06:30' ? ['EFFICIENCY_HIGH'] : ['EFFICIENCY_HIGH', 'SET_BY_PHYSICIAN'],
  week: { from: '2026-06-01', to: '2026-06-07', nights: 5, meanSleepMinutes: 360, efficiencyPercent: 95 },
  ...{ from: '2026-06-07', releasedAt: '2026-06-07T12:00:00.000Z', proposalId: 'p' },
  ...{
    proposed: { minutes: 375, risingTime: '06:30' },
    replaces: null,
    isWithdrawn: false,
    by: 'physician',
    screening: null,
  },
  ...{ startedOn: '2026-06-01', sleepyAt: null, lowMoodAt: null, excludedAt: null, sleepySuspensions: 0 },
});

describe('a release that is repeated', () => {
  test.each<[string, SleepWindow, Changes, boolean]>([
    ['unchanged, bare', released(375), {}, true],
    ['unchanged, with the proposed times', released(375), { minutes: 375, risingTime: '06:30' }, true],
    ['unchanged, with one of them', released(375), { risingTime: '06:30' }, true],
    ['unchanged, with others', released(375), { minutes: 400 }, false],
    ['changed, with the same', released(400), { minutes: 400 }, true],
    ['changed, with the same and what was proposed', released(400), { minutes: 400, risingTime: '06:30' }, true],
    ['changed, bare', released(400), {}, false],
    ['changed in both, with one', released(400, '07:00'), { minutes: 400 }, false],
    ['changed, with others', released(400), { minutes: 405 }, false],
  ])('%s', (_case, window, changes, isSame) => {
    expect(isAsReleased(window, changes)).toBe(isSame);
  });
});

describe('a window that is replaced', () => {
  test.each<[string, SleepWindow, Changes, object]>([
    [
      'keeps what is left out',
      released(240, '05:00'),
      { minutes: 400 },
      { minutes: 400, risingTime: '05:00', bedTime: '22:20' },
    ],
    [
      'says that a physician set it',
      released(375),
      { minutes: 400 },
      { because: ['EFFICIENCY_HIGH', 'SET_BY_PHYSICIAN'] },
    ],
    ['says it once', released(240), { minutes: 400 }, { because: ['EFFICIENCY_HIGH', 'SET_BY_PHYSICIAN'] }],
    [
      'as it was proposed says no such thing',
      released(240),
      { minutes: 375 },
      { bedTime: '00:15', because: ['EFFICIENCY_HIGH'] },
    ],
  ])('%s', (_case, window, changes, found) => {
    expect(correctedPrescription(window, changes)).toMatchObject(found);
  });

  test('a window with the same times is not replaced', () => {
    expect(isUnchanged(released(400), { minutes: 400 })).toBe(true);
    expect(isUnchanged(released(400), { minutes: 400, risingTime: '06:35' })).toBe(false);
  });
});

describe('the next night', () => {
  const standing = (from: string, today: string, zone = 'Europe/Berlin') => {
    const current = { ...released(375), from, zone, releasedBy: 'd' };
    return { current, status: 'active', suspended: [], isOver: false, today, zone } as const;
  };
  const risesAt = (from: string, now: string, zone?: string) =>
    tonightOf(standing(from, now.slice(0, 10), zone), 'en', new Date(now))?.outOfBedAt;

  test('after a release early in the morning, it is the night that follows, not the one that ends', () => {
    expect(risesAt('2026-06-07', '2026-06-07T02:00:00.000Z')).toBe('2026-06-08T04:30:00.000Z');
    expect(risesAt('2026-06-06', '2026-06-07T02:00:00.000Z')).toBe('2026-06-07T04:30:00.000Z');
    expect(risesAt('2026-06-06', '2026-06-07T04:30:00.000Z')).toBe('2026-06-08T04:30:00.000Z');
  });

  test('uses the clock of the place where the patient is now', () => {
    const at = standing('2026-06-01', '2026-06-07', 'America/New_York');
    const current = { ...at.current, zone: 'Europe/Berlin' };
    expect(tonightOf({ ...at, current }, 'en', new Date('2026-06-07T02:00:00.000Z'))?.outOfBedAt).toBe(
      '2026-06-07T10:30:00.000Z',
    );
  });
});

describe('reasons', () => {
  test('each has its text in each language', () => {
    for (const language of languages) {
      for (const code of [...reasonCodes, ...suspensions, 'NO_DIARY', 'TOO_FEW_NIGHTS', 'WEEK_NOT_OVER'] as const) {
        expect(reasonIn(language)(code).text).toMatch(/\.$/);
      }
    }
  });

  test('contain the numbers of the rules with which the window was made, whichever rules are current', () => {
    const third = { ...currentRules, version: '3', longerFromPercent: 85, stepMinutes: 20, ages: null };
    const known = new Map([...rulesByVersion, ['3', third] as const]);
    const textOf = (ruleVersion: string) =>
      reasonsOf({ because: ['EFFICIENCY_HIGH'], ruleVersion }, 'en', known).map(({ text }) => text);
    expect(textOf('1')).toEqual(['At least 90 % of the time in bed was sleep: 15 minutes more than before.']);
    expect(textOf('3')).toEqual(['At least 85 % of the time in bed was sleep: 20 minutes more than before.']);
    expect(textOf('of a release that was taken back')).toEqual(textOf('1'));
  });
});
