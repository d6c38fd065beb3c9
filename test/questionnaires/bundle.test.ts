import { describe, expect, test } from 'vitest';
import {
  type Bundle,
  bundleProblems,
  type Entitlement,
  type Occurrence,
  occurrencesOf,
  openOccurrence,
  type Progress,
  reminderOn,
  statusOf,
} from '../../functions/questionnaires/rules/bundle.ts';
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
const occurrences = (zone = 'Europe/Berlin', of = entitlement) => occurrencesOf([bundle, always], [of], zone);

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

  test('end with the entitlement, and are not there after it', () => {
    const until = (endsAt: string) => occurrences('UTC', { ...entitlement, endsAt }).map(({ window }) => window?.to);
    expect(until('2026-03-05T00:00:00.000Z')).toEqual([undefined, '2026-03-04']);
    expect(until('2026-04-14T12:00:00.000Z')).toEqual([undefined, '2026-03-08', '2026-04-14']);
  });

  test('another programme opens nothing; two entitlements open their own', () => {
    expect(occurrences('UTC', { ...entitlement, programmeId: 'other' })).toHaveLength(1);
    const two = occurrencesOf([bundle], [entitlement, { ...entitlement, entitlementId: 'e2' }], 'UTC');
    expect(new Set(two.map(({ occurrenceId }) => occurrenceId)).size).toBe(4);
  });

  test('an occurrence keeps its id where texts and days are changed', () => {
    const changed = {
      ...bundle,
      title: { en: 'y' },
      windows: bundle.windows.map((each) => ({ ...each, toDay: each.toDay + 1 })),
    };
    const ids = (of: Bundle) => occurrencesOf([of], [entitlement], 'UTC').map(({ occurrenceId }) => occurrenceId);
    expect(ids(changed)).toEqual(ids(bundle));
  });

  test('both ends are in a window', () => {
    const open = (date: string) => openOccurrence(occurrences(), 'start', date)?.window?.from;
    expect(['2026-03-01', '2026-03-02', '2026-03-09', '2026-03-10', '2026-04-20'].map(open)).toEqual([
      ...[undefined, '2026-03-02', '2026-03-02', undefined, '2026-04-13'],
    ]);
    expect(openOccurrence(occurrences(), 'any', '2030-01-01')?.window).toBeNull();
  });
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
    expect(statusOf(first, new Map(progress), today)).toBe(status);
  });

  test('what is always open is never missed', () => {
    expect(statusOf(open, new Map(), '2099-01-01')).toBe('due');
  });

  test('reminders: on the first day, and on the one before the last', () => {
    const days = Array.from({ length: 10 }, (_, index) => addDays('2026-03-01', index));
    expect(days.map((date) => reminderOn(first, date))).toEqual([
      ...[null, 'start', null, null, null, null, null, 'end', null, null],
    ]);
    expect(reminderOn(open, '2026-03-02')).toBeNull();
    const short = { ...first, window: { from: '2026-03-02', to: '2026-03-03' } };
    expect(['2026-03-02', '2026-03-03'].map((date) => reminderOn(short, date))).toEqual(['start', null]);
  });
});

test.each<[string, Partial<Bundle>, string]>([
  ['a programme without windows', { windows: [] }, 'windows'],
  ['windows without a programme', { programmeId: null }, 'windows'],
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
});

test('an hour that the clocks skip or repeat has its date', () => {
  expect(localTime(new Date('2026-03-29T01:30:00Z'), 'Europe/Berlin')).toEqual({ date: '2026-03-29', hour: 3 });
  expect(localTime(new Date('2026-10-24T22:30:00Z'), 'Europe/Berlin')).toEqual({ date: '2026-10-25', hour: 0 });
  expect(localTime(new Date('2026-10-25T23:30:00Z'), 'Europe/Berlin')).toEqual({ date: '2026-10-26', hour: 0 });
});
