import { describe, expect, test } from 'vitest';
import { afterBusinessMinutes, type BusinessHours } from '../../functions/support/rules/business-hours.ts';
import { hoursIn } from '../../functions/support/rules/default-hours.ts';
import { dueTimes } from '../../functions/support/rules/due-times.ts';
import { easterOf, isGermanHoliday } from '../../functions/support/rules/german-holidays.ts';
import { type Priority, priorities } from '../../functions/support/rules/ticket.ts';

const at = (instant: string) => new Date(instant);
const berlin = hoursIn('Europe/Berlin');
const always = (zone: string) => ({
  timezone: zone,
  week: Array.from({ length: 7 }, () => [[0, 1440]] as const),
  holidays: [],
});

describe('business hours', () => {
  // 2026-11-23 is a Monday; Berlin is at UTC+1 in winter.
  test.each([
    ['within a day', '2026-11-23T08:00:00Z', 60, '2026-11-23T09:00:00.000Z'],
    ['before it opens', '2026-11-23T03:00:00Z', 60, '2026-11-23T09:00:00.000Z'],
    ['after it closed', '2026-11-23T19:00:00Z', 60, '2026-11-24T09:00:00.000Z'],
    ['over a night', '2026-11-23T15:30:00Z', 60, '2026-11-24T08:30:00.000Z'],
    ['up to its end, not the next morning', '2026-11-23T15:00:00Z', 60, '2026-11-23T16:00:00.000Z'],
    ['at its very end', '2026-11-23T16:00:00Z', 60, '2026-11-24T09:00:00.000Z'],
    ['over a weekend', '2026-11-27T15:30:00Z', 60, '2026-11-30T08:30:00.000Z'],
    ['on a Saturday', '2026-11-28T12:00:00Z', 60, '2026-11-30T09:00:00.000Z'],
    ['a week', '2026-11-23T08:00:00Z', 2400, '2026-11-27T16:00:00.000Z'],
    ['over Christmas, a Friday and a Saturday', '2026-12-24T15:30:00Z', 60, '2026-12-28T08:30:00.000Z'],
    ['over New Year, a Friday', '2026-12-31T15:30:00Z', 60, '2027-01-04T08:30:00.000Z'],
    ['over Easter', '2026-04-02T14:30:00Z', 60, '2026-04-07T07:30:00.000Z'],
    ['over Ascension', '2026-05-13T14:30:00Z', 60, '2026-05-15T07:30:00.000Z'],
    ['over Easter in many years', '2040-03-29T14:30:00Z', 60, '2040-04-03T07:30:00.000Z'],
    // The clock goes forward on Sunday, 29 March 2026, and back on Sunday, 25 October 2026.
    ['over the beginning of summer time', '2026-03-27T15:30:00Z', 60, '2026-03-30T07:30:00.000Z'],
    ['over the end of summer time', '2026-10-23T14:30:00Z', 60, '2026-10-26T08:30:00.000Z'],
  ])('%s', (_case, from, minutes, due) => {
    expect(afterBusinessMinutes(at(from), minutes, berlin)?.toISOString()).toBe(due);
  });

  test.each([
    ['of 23 hours', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00.000Z', 1380],
    ['of 25 hours', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00.000Z', 1500],
  ])('a day %s has its true length', (_case, from, due, minutes) => {
    expect(afterBusinessMinutes(at(from), minutes, always('Europe/Berlin'))?.toISOString()).toBe(due);
  });

  test('a zone without known holidays, on the other side of the earth', () => {
    // Monday, 9:00 in Auckland (UTC+13) is Sunday, 20:00 UTC.
    const due = afterBusinessMinutes(at('2026-11-21T00:00:00Z'), 60, hoursIn('Pacific/Auckland'));
    expect(due?.toISOString()).toBe('2026-11-22T21:00:00.000Z');
  });

  const at10 = [[10 * 60, 12 * 60]] as const;
  test.each<[string, Partial<BusinessHours>, string, number, string | null]>([
    // Open on Tuesday and Saturday from ten to twelve; UTC+1.
    ['hours of a site: of its first day', {}, '2026-11-23T08:00:00Z', 60, '2026-11-24T10:00:00.000Z'],
    ['to the next of its days', {}, '2026-11-24T10:30:00Z', 60, '2026-11-28T09:30:00.000Z'],
    [
      'its own holidays',
      { holidays: ['2026-11-24', '2026-11-28'] },
      '2026-11-23T08:00:00Z',
      60,
      '2026-12-01T10:00:00.000Z',
    ],
    ['a holiday of the country on which it is open', {}, '2026-12-25T12:00:00Z', 60, '2026-12-26T10:00:00.000Z'],
    [
      'a date of its zone, which is not yet in UTC',
      { timezone: 'Pacific/Auckland' },
      '2026-11-23T12:00:00Z',
      60,
      '2026-11-23T22:00:00.000Z',
    ],
    [
      'a lunch break',
      {
        week: Array(7).fill([
          [540, 720],
          [780, 1020],
        ]),
      },
      '2026-11-23T10:30:00Z',
      60,
      '2026-11-23T12:30:00.000Z',
    ],
    ['never open', { week: [] }, '2026-11-23T08:00:00Z', 1, null],
    ['closed as soon as it opens', { week: Array(7).fill([[600, 600]]) }, '2026-11-23T08:00:00Z', 1, null],
  ])('%s', (_case, more, from, minutes, due) => {
    const week = [[], at10, [], [], [], at10, []];
    const hours = { timezone: 'Europe/Berlin', week, holidays: [], ...more };
    expect(afterBusinessMinutes(at(from), minutes, hours)?.toISOString() ?? null).toBe(due);
  });

  test('if no time is ever due with the hours of a site, the usual hours count', () => {
    const never = { ...berlin, week: [] };
    for (const priority of priorities) {
      const from = at('2026-11-28T12:00:00Z');
      expect(dueTimes(from, priority, never)).toEqual(dueTimes(from, priority, berlin));
    }
  });
});

describe('holidays of Germany', () => {
  test.each([
    ['2026-04-05', '2027-03-28', '2028-04-16', '2029-04-01', '2030-04-21', '2031-04-13', '2032-03-28', '2033-04-17'],
    // After a century; the earliest that there is and the latest; and two exceptions of the rule.
    ['2100-03-28', '2285-03-22', '2038-04-25', '1954-04-18', '2049-04-18', '2076-04-19'],
  ])('Easter is as published: %s and others', (...easters) => {
    expect(easters.map((date) => easterOf(Number(date.slice(0, 4))))).toEqual(easters);
  });

  test('Easter is a Sunday from 22 March to 25 April, in each of 500 years', () => {
    for (let year = 2000; year < 2500; year += 1) {
      const easter = easterOf(year);
      expect([new Date(easter).getUTCDay(), easter >= `${year}-03-22`, easter <= `${year}-04-25`]).toEqual([
        0,
        true,
        true,
      ]);
    }
  });

  test('nine in a year, also in the far future', () => {
    const days = Array.from({ length: 365 }, (_, day) =>
      new Date(Date.UTC(2059, 0, 1 + day)).toISOString().slice(0, 10),
    );
    expect(days.filter(isGermanHoliday)).toEqual([
      ...['2059-01-01', '2059-03-28', '2059-03-31', '2059-05-01', '2059-05-08', '2059-05-19'],
      ...['2059-10-03', '2059-12-25', '2059-12-26'],
    ]);
  });
});

test.each<[Priority, string, string]>([
  // From a Saturday at noon: what is urgent does not wait for Monday.
  ['urgent', '2026-11-28T13:00:00.000Z', '2026-11-28T20:00:00.000Z'],
  ['high', '2026-11-30T12:00:00.000Z', '2026-12-01T16:00:00.000Z'],
  ['normal', '2026-11-30T16:00:00.000Z', '2026-12-04T16:00:00.000Z'],
  ['low', '2026-12-01T16:00:00.000Z', '2026-12-11T16:00:00.000Z'],
])('what is %s is due at', (priority, firstAnswerDueAt, solutionDueAt) => {
  const due = dueTimes(at('2026-11-28T12:00:00Z'), priority, hoursIn('Europe/Berlin'));
  expect(due).toEqual({ firstAnswerDueAt, solutionDueAt });
});
