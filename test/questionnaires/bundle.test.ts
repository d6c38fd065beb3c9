import { describe, expect, test } from 'vitest';
import { occurrencesAfter } from '../../functions/questionnaire-responses/rules/due-bundles.ts';
import {
  type Bundle,
  type Entitlement,
  isReminderDay,
  mayRemind,
  type Occurrence,
  occurrencesOf,
  openOccurrences,
  type Progress,
  remindingDays,
  statusOf,
} from '../../functions/questionnaires/rules/bundle.ts';
import { bundleProblems } from '../../functions/questionnaires/rules/bundle-problems.ts';
import { addDays, localTime } from '../../functions/questionnaires/rules/local-date.ts';

const bundle: Bundle = {
  bundleId: 'start',
  title: { en: 'x' },
  questionnaireIds: ['phq-9', 'gad-7'],
  programmeId: 'insomnia-basic',
  windows: [
    { windowId: 'start', fromDay: 0, toDay: 7 },
    { windowId: 'day-42', fromDay: 42, toDay: 49 },
  ],
};
const always: Bundle = { ...bundle, bundleId: 'any', programmeId: null, windows: [] };
const entitlement: Entitlement = {
  entitlementId: 'e1',
  programmeId: 'insomnia-basic',
  startsAt: '2026-03-01T23:30:00.000Z',
  endsAt: '2026-05-30T23:30:00.000Z',
};
const noonOf = (date: string) => ({ date, instant: `${date}T12:00:00.000Z` });
const occurrences = (zone = 'Europe/Berlin', of = entitlement) => occurrencesOf([bundle, always], [of], zone, null);

describe('windows', () => {
  test('count from the day on which the entitlement starts where the patient is', () => {
    const windows = (zone: string) => occurrences(zone).map(({ window }) => window);
    expect(windows('Europe/Berlin')).toEqual([
      null,
      { from: '2026-03-02', to: '2026-03-09' },
      // Over the change to summer time.
      { from: '2026-04-13', to: '2026-04-20' },
    ]);
    expect(windows('America/New_York')[1]).toEqual({ from: '2026-03-01', to: '2026-03-08' });
    expect(windows('Pacific/Kiritimati')[1]).toEqual({ from: '2026-03-02', to: '2026-03-09' });
  });

  test('end with the entitlement, and do not exist after it', () => {
    const until = (endsAt: string) => occurrences('UTC', { ...entitlement, endsAt }).map(({ window }) => window?.to);
    expect(until('2026-03-05T00:00:00.000Z')).toEqual([undefined, '2026-03-04']);
    expect(until('2026-04-14T12:00:00.000Z')).toEqual([undefined, '2026-03-08', '2026-04-14']);
  });

  test('an entitlement without any time has none', () => {
    const { startsAt } = entitlement;
    for (const endsAt of [startsAt, '2026-02-01T00:00:00.000Z']) {
      expect(occurrencesOf([bundle], [{ ...entitlement, endsAt }], 'UTC', null)).toEqual([]);
    }
  });

  test('end at the exact millisecond at which the entitlement ends', () => {
    const endsAt = '2026-03-05T12:00:00.000Z';
    const ended = occurrences('UTC', { ...entitlement, endsAt });
    const open = (instant: string) => openOccurrences(ended, 'start', { date: '2026-03-05', instant }).length;
    expect([open('2026-03-05T11:59:59.999Z'), open(endsAt)]).toEqual([1, 0]);
    const [, first] = ended as [Occurrence, Occurrence];
    expect(statusOf(first, new Map(), { date: '2026-03-05', instant: '2026-03-05T11:59:59.999Z' })).toBe('due');
    expect(statusOf(first, new Map(), { date: '2026-03-05', instant: endsAt })).toBe('missed');
  });

  test('two that meet on a day have one order, in whatever order the entitlements come', () => {
    const [one, other] = [
      { ...entitlement, entitlementId: 'e2', endsAt: '2026-03-01T23:45:00.000Z' },
      { ...entitlement, entitlementId: 'e1', startsAt: '2026-03-01T23:45:00.000Z' },
    ];
    const open = (of: Entitlement[], time: string) => {
      const moment = { date: '2026-03-01', instant: `2026-03-01T${time}:00.000Z` };
      return openOccurrences(occurrencesOf([bundle], of, 'UTC', null), 'start', moment).map(
        (each) => each.entitlementId,
      );
    };
    for (const of of [
      [one, other],
      [other, one],
    ]) {
      expect(open(of, '23:40')).toEqual(['e2', 'e1']);
      expect(open(of, '23:50')).toEqual(['e1']);
    }
  });

  test('another programme opens nothing; two entitlements open their own', () => {
    expect(occurrences('UTC', { ...entitlement, programmeId: 'other' })).toHaveLength(1);
    const two = occurrencesOf([bundle], [entitlement, { ...entitlement, entitlementId: 'e2' }], 'UTC', null);
    expect(new Set(two.map(({ occurrenceId }) => occurrenceId)).size).toBe(4);
  });

  test('an occurrence keeps its id when texts and days are changed', () => {
    const changed = {
      ...bundle,
      title: { en: 'y' },
      windows: bundle.windows.map((each) => ({ ...each, toDay: each.toDay + 1 })),
    };
    const ids = (of: Bundle) => occurrencesOf([of], [entitlement], 'UTC', null).map(({ occurrenceId }) => occurrenceId);
    expect(ids(changed)).toEqual(ids(bundle));
  });

  test('both ends belong to a window', () => {
    const open = (date: string) => openOccurrences(occurrences(), 'start', noonOf(date))[0]?.window?.from;
    expect(['2026-03-01', '2026-03-02', '2026-03-09', '2026-03-10', '2026-04-20'].map(open)).toEqual([
      ...[undefined, '2026-03-02', '2026-03-02', undefined, '2026-04-13'],
    ]);
    expect(openOccurrences(occurrences(), 'any', noonOf('2030-01-01'))[0]?.window).toBeNull();
  });
});

test('a page goes on after an occurrence that no longer exists, and each is on one page', () => {
  const entitlements = ['e1', 'e2', 'e3'].map((entitlementId) => ({ ...entitlement, entitlementId }));
  const all = occurrencesOf([bundle, always], entitlements, 'UTC', null);
  const shown: string[] = [];
  let left: readonly Occurrence[] = all;
  let after: string | null = null;
  do {
    const page = occurrencesAfter(left, { limit: 2, after });
    shown.push(...page.shown.map(({ occurrenceId }) => occurrenceId));
    // The last shown occurrence is gone before the next page is requested.
    left = left.filter((each) => !page.shown.includes(each));
    after = page.next;
  } while (after !== null);
  expect(shown).toEqual(all.map(({ occurrenceId }) => occurrenceId));
});

describe('status', () => {
  const [open, first] = occurrences() as [Occurrence, Occurrence];
  test.each<[string, [string, Progress][], string]>([
    ['2026-03-01', [], 'upcoming'],
    ['2026-03-02', [], 'due'],
    ['2026-03-09', [['phq-9', 'draft']], 'in-progress'],
    ['2026-03-09', [['phq-9', 'completed']], 'in-progress'],
    ['2026-03-10', [['phq-9', 'completed']], 'missed'],
    ['2026-03-10', [], 'missed'],
    [
      '2026-03-10',
      [
        ['phq-9', 'completed'],
        ['gad-7', 'completed'],
      ],
      'completed',
    ],
  ])('on %s with %j: %s', (today, progress, status) => {
    expect(statusOf(first, new Map(progress), noonOf(today))).toBe(status);
  });

  test('a bundle that is always open is never missed', () => {
    expect(statusOf(open, new Map(), noonOf('2099-01-01'))).toBe('due');
  });

  test('a reminder is due from the first day on, until the day before the last', () => {
    const days = Array.from({ length: 10 }, (_, index) => addDays('2026-03-01', index));
    expect(days.filter((date) => isReminderDay(first, date))).toEqual(days.slice(1, 8));
    expect(isReminderDay(open, '2026-03-02')).toBe(false);
    const short = { ...first, window: { from: '2026-03-02', to: '2026-03-03' } };
    expect(['2026-03-02', '2026-03-03'].map((date) => isReminderDay(short, date))).toEqual([true, false]);
    const single = { ...first, window: { from: '2026-03-02', to: '2026-03-02' } };
    expect(['2026-03-01', '2026-03-02', '2026-03-03'].map((date) => isReminderDay(single, date))).toEqual([
      ...[false, true, false],
    ]);
  });
});

test('each reminder is on a day on which its entitlement is checked, in every zone and for every end', () => {
  const start = Date.parse(entitlement.startsAt);
  for (const zone of ['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago']) {
    for (let days = 1; days <= 52; days += 1) {
      const granted = { ...entitlement, endsAt: new Date(start + days * 86_400_000).toISOString() };
      for (const occurrence of occurrencesOf([bundle], [granted], zone, null)) {
        const { from = '', to = '' } = occurrence.window ?? {};
        const inWindow = Array.from({ length: 40 }, (_, index) => addDays(from, index)).filter((each) => each <= to);
        for (const date of inWindow.filter((each) => isReminderDay(occurrence, each))) {
          // Today is this date there: in UTC it may be the day before or after.
          for (const utc of [-1, 0, 1].map((off) => addDays(date, off)))
            expect(mayRemind(bundle, granted, utc)).toBe(true);
          const day = (Date.parse(date) - Date.parse(entitlement.startsAt.slice(0, 10))) / 86_400_000;
          expect(remindingDays(bundle).some((each) => Math.abs(each - day) <= 1)).toBe(true);
        }
      }
    }
  }
});

const atWindow: Partial<Bundle> = { programmeId: null, windows: [], anchor: 'window', everyDays: 7, openDays: 7 };

test.each<[string, Partial<Bundle>, string]>([
  ['a programme without windows', { windows: [] }, 'windows'],
  ['windows without a programme', { programmeId: null }, 'windows'],
  ['days of a sleep window without that anchor', { everyDays: 7 }, 'everyDays'],
  ['a sleep window of a programme', { ...atWindow, programmeId: 'insomnia-basic' }, 'programmeId'],
  ['a sleep window with windows', { ...atWindow, windows: bundle.windows }, 'windows'],
  ['a sleep window that does not say how often', { ...atWindow, everyDays: undefined }, 'everyDays'],
  ['a sleep window that does not say for how long', { ...atWindow, openDays: undefined }, 'openDays'],
  ['two occurrences of a sleep window at once', { ...atWindow, openDays: 8 }, 'openDays'],
  ['a window that ends before it begins', { windows: [{ windowId: 'a', fromDay: 2, toDay: 1 }] }, 'windows[0].toDay'],
  [
    'two windows at once',
    {
      windows: [
        { windowId: 'a', fromDay: 0, toDay: 2 },
        { windowId: 'b', fromDay: 2, toDay: 3 },
      ],
    },
    'windows[1].fromDay',
  ],
])('%s makes no bundle', (_case, changed, path) => {
  expect(bundleProblems({ ...bundle, ...changed })).toMatchObject([{ path }]);
  expect(bundleProblems(bundle)).toEqual([]);
  expect(bundleProblems({ ...bundle, ...atWindow, windows: [] })).toEqual([]);
});

test('an hour that the clocks skip or repeat has its date', () => {
  expect(localTime(new Date('2026-03-29T01:30:00Z'), 'Europe/Berlin')).toEqual({ date: '2026-03-29', hour: 3 });
  expect(localTime(new Date('2026-10-24T22:30:00Z'), 'Europe/Berlin')).toEqual({ date: '2026-10-25', hour: 0 });
  expect(localTime(new Date('2026-10-25T23:30:00Z'), 'Europe/Berlin')).toEqual({ date: '2026-10-26', hour: 0 });
});
