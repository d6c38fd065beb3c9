import { describe, expect, test } from 'vitest';
import {
  type Bundle,
  type Entitlement,
  isReminderDay,
  mayRemindOfRun,
  type Occurrence,
  occurrencesOf,
  openOccurrences,
  statusOf,
} from '../../functions/questionnaires/rules/bundle.ts';
import { addDays } from '../../functions/questionnaires/rules/local-date.ts';
import { endOfRun, type Run } from '../../functions/questionnaires/rules/window-run.ts';

/** Bundles that are due again and again while a patient has a sleep window. */

const bundle: Bundle = {
  bundleId: 'sleepiness',
  title: { en: 'x' },
  questionnaireIds: ['ess'],
  programmeId: null,
  windows: [],
  anchor: 'window',
  everyDays: 7,
  openDays: 5,
};
const run: Run = { userId: 'u1', startedOn: '2026-03-10', endedAt: null };
const granted: Entitlement = {
  entitlementId: 'e1',
  programmeId: 'insomnia-self-guided',
  startsAt: '2026-03-01T08:00:00.000Z',
  endsAt: '2026-04-01T08:00:00.000Z',
};
const zone = 'Europe/Berlin';
const of = (entitlements: readonly Entitlement[], its: Run | null = run) =>
  occurrencesOf([bundle], entitlements, zone, its);
const windowsOf = (found: readonly Occurrence[]) => found.map(({ window }) => [window?.from, window?.to]);

describe('the windows', () => {
  test('begin every N days after the first evening, over the change to summer time, and end with the entitlement', () => {
    expect(windowsOf(of([granted]))).toEqual([
      ['2026-03-17', '2026-03-21'],
      ['2026-03-24', '2026-03-28'],
      ['2026-03-31', '2026-04-01'],
    ]);
  });

  test('there are none without a window, or without an entitlement, or after it', () => {
    expect(of([granted], null)).toEqual([]);
    expect(of([])).toEqual([]);
    expect(of([{ ...granted, endsAt: granted.startsAt }])).toEqual([]);
    expect(of([{ ...granted, endsAt: '2026-03-09T08:00:00.000Z' }])).toEqual([]);
  });

  test('whoever has both programmes is asked once', () => {
    const other = {
      ...granted,
      entitlementId: 'e2',
      programmeId: 'insomnia-basic',
      endsAt: '2026-03-20T08:00:00.000Z',
    };
    for (const both of [
      [granted, other],
      [other, granted],
    ]) {
      expect(windowsOf(of(both))).toEqual(windowsOf(of([granted])));
      expect(of(both).map(({ entitlementId }) => entitlementId)).toEqual(['e1', 'e1', 'e1']);
    }
  });

  test('a second code that goes on without a gap continues the run; after a gap it does not', () => {
    const next = { ...granted, entitlementId: 'e2', startsAt: granted.endsAt, endsAt: '2026-04-10T08:00:00.000Z' };
    expect(windowsOf(of([granted, next])).at(-1)).toEqual(['2026-04-07', '2026-04-10']);
    expect(of([granted, next]).at(-1)?.entitlementId).toBe('e2');
    const later = { ...next, startsAt: '2026-04-03T08:00:00.000Z', endsAt: '2026-05-10T08:00:00.000Z' };
    expect(windowsOf(of([granted, later]))).toEqual(windowsOf(of([granted])));
    expect([
      endOfRun(run, [granted, next], zone),
      endOfRun(run, [granted, later], zone),
      endOfRun(run, [], zone),
    ]).toEqual([...[next.endsAt, granted.endsAt, null]]);
  });

  test('a window that was released before the code was redeemed counts from its own start', () => {
    const later = { ...granted, startsAt: '2026-03-20T08:00:00.000Z' };
    expect(windowsOf(of([later]))).toEqual([
      ['2026-03-24', '2026-03-28'],
      ['2026-03-31', '2026-04-01'],
    ]);
  });

  test('a withdrawal ends what is open at that moment, and what was recorded before is still accepted', () => {
    const endedAt = '2026-03-25T12:00:00.000Z';
    const found = of([granted], { ...run, endedAt });
    expect(windowsOf(found)).toEqual([
      ['2026-03-17', '2026-03-21'],
      ['2026-03-24', '2026-03-25'],
    ]);
    const open = (instant: string) =>
      openOccurrences(found, 'sleepiness', { date: instant.slice(0, 10), instant }).length;
    expect([open('2026-03-25T11:59:59.999Z'), open(endedAt)]).toEqual([1, 0]);
    expect(statusOf(found[1] as Occurrence, new Map(), { date: '2026-03-25', instant: endedAt })).toBe('missed');
  });

  test('ids are unique for user, run, index and bundle, and stay when days, codes and the end of the run change', () => {
    const ids = (found: readonly Occurrence[]) => found.map(({ occurrenceId }) => occurrenceId);
    const all = [
      of([granted]),
      of([granted], { ...run, userId: 'u2' }),
      of([granted], { ...run, startedOn: '2026-03-11' }),
      occurrencesOf([{ ...bundle, bundleId: 'mood' }], [granted], zone, run),
    ].flatMap(ids);
    expect(new Set(all).size).toBe(all.length);
    const longer = { ...granted, entitlementId: 'e9', endsAt: '2026-06-01T08:00:00.000Z' };
    expect(ids(of([longer])).slice(0, 3)).toEqual(ids(of([granted])));
    expect(ids(of([granted], { ...run, endedAt: '2026-03-25T12:00:00.000Z' }))).toEqual(ids(of([granted])).slice(0, 2));
  });
});

test('each reminder is on a day on which its run is looked at, in every zone', () => {
  for (const place of ['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago']) {
    for (const openDays of [1, 2, 5, 7]) {
      const opened = { ...bundle, openDays };
      for (const each of occurrencesOf([opened], [granted], place, run)) {
        const days = Array.from({ length: 10 }, (_, index) => addDays(each.window?.from ?? '', index));
        for (const date of days.filter((day) => isReminderDay(each, day))) {
          for (const off of [-1, 0, 1]) {
            expect(mayRemindOfRun(opened, run.startedOn, addDays(date, off))).toBe(true);
          }
        }
      }
    }
  }
  const first = Array.from({ length: 5 }, (_, index) => addDays(run.startedOn, index));
  expect(first.map((utc) => mayRemindOfRun(bundle, run.startedOn, utc))).toEqual(Array(5).fill(false));
});
