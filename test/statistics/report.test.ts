import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { datesOf, endOf, mostDays } from '../../functions/statistics/rules/period.ts';
import { type DayFigures, type Figures, seriesOf } from '../../functions/statistics/rules/report.ts';
import {
  advance,
  type Counts,
  countNames,
  nothing,
  type Recorded,
  uncounted,
} from '../../functions/statistics/rules/tally.ts';

const date = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);

const history = fc
  .array(fc.record({ version: fc.integer({ min: 1, max: 3 }), revokes: fc.boolean(), day: fc.nat(3) }), {
    maxLength: 20,
  })
  .map((steps) => {
    let [standing, day]: [string | null, number] = [null, 0];
    return steps.map((step, index): Recorded => {
      day += step.day;
      const action = step.revokes && standing !== null ? 'revoked' : 'agreed';
      const versionId: string = action === 'revoked' ? (standing ?? '') : `v${step.version}`;
      standing = action === 'revoked' ? null : versionId;
      return { sequence: index + 1, recordedAt: `${date(day)}T10:00:00.000Z`, action, versionId };
    });
  });

function figuresOf(histories: readonly Recorded[][]): Figures {
  const totals = new Map<string, Counts>();
  const days: DayFigures[] = [];
  for (const records of histories) {
    for (const { versionId, date: on, counts } of advance(uncounted, records).tallies) {
      const total = totals.get(versionId) ?? { ...nothing };
      for (const name of countNames) total[name] += counts[name];
      totals.set(versionId, total);
      const row = days.find((one) => one.date === on && one.versionId === versionId);
      if (row) for (const name of countNames) row.counts[name] += counts[name];
      else days.push({ date: on, versionId, counts: { ...counts } });
    }
  }
  return { totals, days };
}

describe('the series', () => {
  test('has the totals at the end of every day', () => {
    fc.assert(
      fc.property(fc.array(history, { maxLength: 4 }), fc.nat(30), fc.nat(30), (histories, from, length) => {
        const figures = figuresOf(histories);
        const dates = Array.from({ length: length + 1 }, (_, index) => date(from + index));
        // What is before the first day is not read.
        const read = { ...figures, days: figures.days.filter((row) => row.date >= (dates[0] ?? '')) };
        const series = seriesOf(read, dates, (versionId, on) => versionId === 'v1' && on >= date(10));
        expect(series.map((day) => day.date)).toEqual(dates);
        for (const day of series) {
          const last = histories.map((records) =>
            records.findLast(({ recordedAt }) => recordedAt.slice(0, 10) <= day.date),
          );
          const count = (wanted: (record: Recorded) => boolean) =>
            last.filter((one) => one !== undefined && wanted(one)).length;
          expect(day.agreeing).toBe(count(({ action }) => action === 'agreed'));
          expect(day.revoked).toBe(count(({ action }) => action === 'revoked'));
          const isDue = ({ action, versionId }: Recorded) =>
            action === 'agreed' && versionId === 'v1' && day.date >= date(10);
          expect(day.reconsentDue).toBe(count(isDue));
          const onDay = histories.flat().filter(({ recordedAt }) => recordedAt.startsWith(day.date));
          expect(day.agreements).toBe(onDay.filter(({ action }) => action === 'agreed').length);
          expect(day.revocations).toBe(onDay.filter(({ action }) => action === 'revoked').length);
        }
      }),
    );
  });

  test('a revocation of nothing counts for nothing', () => {
    const revoked = {
      sequence: 1,
      recordedAt: '2026-01-01T00:00:00.000Z',
      action: 'revoked',
      versionId: 'v1',
    } as const;
    const { to, tallies } = advance(uncounted, [revoked]);
    expect({ to, tallies }).toEqual({ to: { sequence: 1, released: 0, standing: null }, tallies: [] });
  });
});

describe('the days', () => {
  const now = new Date('2026-03-01T23:59:59.999Z');

  test.each([
    [{}, '2026-01-31', '2026-03-01', 30],
    [{ from: '2026-02-28' }, '2026-02-28', '2026-03-01', 2],
    [{ to: '2025-12-31' }, '2025-12-02', '2025-12-31', 30],
    [{ from: '2024-01-01' }, '2024-01-01', '2024-12-31', mostDays],
    [{ from: '2026-03-01', to: '2026-04-01' }, '2026-03-01', '2026-03-01', 1],
  ])('%j', (asked, first, last, length) => {
    const dates = datesOf(asked, now);
    expect([dates[0], dates.at(-1), dates.length]).toEqual([first, last, length]);
  });

  test('days that have not begun are left out', () => {
    expect(datesOf({ from: '2026-03-02' }, now)).toEqual([]);
    expect(datesOf({ from: '2026-03-02', to: '2026-03-09' }, now)).toEqual([]);
  });

  test('end at midnight, and today now', () => {
    const noon = new Date('2026-03-01T12:00:00.000Z');
    expect(endOf('2026-02-28', noon)).toBe('2026-02-28T23:59:59.999Z');
    expect(endOf('2026-03-01', noon)).toBe('2026-03-01T12:00:00.000Z');
  });
});
