import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Instant, QueryInstant } from '../../lib/contract/fields.ts';
import { instantMs } from '../../lib/contract/instant.ts';

/** What a client states as a time, and the one form that the service keeps. */

const readAs = (text: unknown) => z.safeParse(Instant, text).data ?? null;

describe('an instant', () => {
  test.each([
    // RFC 3339, section 5.8.
    ['1985-04-12T23:20:50.52Z', '1985-04-12T23:20:50.520Z'],
    ['1996-12-19T16:39:57-08:00', '1996-12-20T00:39:57.000Z'],
    ['1990-12-31T23:59:60Z', '1991-01-01T00:00:00.000Z'],
    ['1990-12-31T15:59:60-08:00', '1991-01-01T00:00:00.000Z'],
    ['1937-01-01T12:00:27.87+00:20', '1937-01-01T11:40:27.870Z'],
    // As it is kept already.
    ['2026-03-01T08:30:00.000Z', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01T08:30:00Z', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01t08:30:00z', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01T08:30:00.1Z', '2026-03-01T08:30:00.100Z'],
    ['2026-03-01T08:30:00.9999Z', '2026-03-01T08:30:00.999Z'],
    [`2026-03-01T08:30:00.${'9'.repeat(1000)}Z`, '2026-03-01T08:30:00.999Z'],
    ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
    ['2026-03-01T08:30:00+00:00', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01T08:30:00-00:00', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01T08:30:00+23:59', '2026-02-28T08:31:00.000Z'],
    ['2026-03-01T08:30:00-23:59', '2026-03-02T08:29:00.000Z'],
    ['2026-03-01T08:30:00+05:45', '2026-03-01T02:45:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['2016-12-31T23:59:60.75Z', '2017-01-01T00:00:00.750Z'],
    ['2017-01-01T05:29:60+05:30', '2017-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, time) => expect(readAs(text)).toBe(time));

  test.each([
    ['no text', 1_772_353_800_000],
    ['nothing', ''],
    ['a word', 'now'],
    ['a date', '2026-03-01'],
    ['no offset', '2026-03-01T08:30:00'],
    ['no seconds', '2026-03-01T08:30Z'],
    ['a blank for the T', '2026-03-01 08:30:00Z'],
    ['a blank before it', ' 2026-03-01T08:30:00Z'],
    ['a line feed behind it', '2026-03-01T08:30:00Z\n'],
    ['a comma for the point', '2026-03-01T08:30:00,5Z'],
    ['a point without digits', '2026-03-01T08:30:00.Z'],
    ['an offset without minutes', '2026-03-01T08:30:00+01'],
    ['an offset without a colon', '2026-03-01T08:30:00+0100'],
    ['an offset and Z', '2026-03-01T08:30:00Z+01:00'],
    ['a blank for the plus', '2026-03-01T08:30:00 01:00'],
    ['a minus that is none', '2026-03-01T08:30:00−01:00'],
    ['a time zone', '2026-03-01T08:30:00+01:00[Europe/Berlin]'],
    ['digits of another script', '٢٠٢٦-03-01T08:30:00Z'],
    ['a year of two digits', '26-03-01T08:30:00Z'],
    ['a year of six digits', '+012026-03-01T08:30:00Z'],
    ['a week', '2026-W09-7T08:30:00Z'],
    ['the 30th of February', '2026-02-30T08:30:00Z'],
    ['the 29th of February of another year', '2026-02-29T08:30:00Z'],
    ['the 29th of February of 1900', '1900-02-29T08:30:00Z'],
    ['the 31st of April', '2026-04-31T08:30:00Z'],
    ['the 32nd', '2026-01-32T08:30:00Z'],
    ['the 0th', '2026-01-00T08:30:00Z'],
    ['month 0', '2026-00-01T08:30:00Z'],
    ['month 13', '2026-13-01T08:30:00Z'],
    ['24:00', '2026-03-01T24:00:00Z'],
    ['minute 60', '2026-03-01T08:60:00Z'],
    ['second 61', '2026-12-31T23:59:61Z'],
    ['a leap second amid a day', '2026-03-01T08:30:60Z'],
    ['a leap second amid a month', '2026-12-30T23:59:60Z'],
    ['a leap second only by the local clock', '2026-12-31T23:59:60+01:00'],
    ['an offset of +25:00', '2026-03-01T08:30:00+25:00'],
    ['an offset of -24:00', '2026-03-01T08:30:00-24:00'],
    ['an offset of 60 minutes', '2026-03-01T08:30:00+00:60'],
    ['the year 0', '0000-12-31T23:59:59Z'],
    ['the year 0 in UTC', '0001-01-01T00:00:00+00:01'],
    ['the year 10000 in UTC', '9999-12-31T23:59:59-00:01'],
    ['the leap second at the end of all', '9999-12-31T23:59:60Z'],
  ])('%s is none', (_name, text) => {
    const { error } = z.safeParse(Instant, text);
    expect(error?.issues).toMatchObject([{ code: typeof text === 'string' ? 'invalid_format' : 'invalid_type' }]);
    if (typeof text === 'string') expect(instantMs(text)).toBeNaN();
  });

  const first = Date.parse('0001-01-01T00:00:00.000Z');
  const last = Date.parse('9999-12-31T23:59:59.999Z');
  const day = 86_400_000;
  const two = (value: number) => String(value).padStart(2, '0');

  test('any time in any offset is read as that time, and reading the result again changes nothing', () => {
    const times = fc.integer({ min: first + day, max: last - day });
    const offsets = fc.integer({ min: -1439, max: 1439 });
    const writings = fc.record({ digits: fc.stringMatching(/^\d{0,9}$/), isLower: fc.boolean(), isZulu: fc.boolean() });
    fc.assert(
      fc.property(times, offsets, writings, (time, offset, { digits, isLower, isZulu }) => {
        const shift = isZulu ? 0 : offset;
        const zone = isZulu
          ? 'Z'
          : `${offset < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
        const local = new Date(time + shift * 60_000).toISOString().slice(0, -1);
        const text = `${local}${digits}${zone}`;
        const expected = new Date(time).toISOString();
        expect(readAs(isLower ? text.toLowerCase() : text)).toBe(expected);
        expect(readAs(expected)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  test('times as they come out are in the order of their text', () => {
    const times = fc.integer({ min: first, max: last }).map((time) => readAs(new Date(time).toISOString()) ?? '');
    fc.assert(
      fc.property(times, times, (one, other) => {
        expect(one < other).toBe(Date.parse(one) < Date.parse(other));
      }),
    );
  });

  test('any other text is either read or refused, and never causes an error', () => {
    const nearly = fc.stringMatching(/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,5})?([Zz]|[+-]\d\d:\d\d)$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearly), (text) => {
        const read = readAs(text);
        if (read !== null) expect(read).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }),
    );
  });
});

test.each([
  ['2026-03-01T08:30:00 01:00', '2026-03-01T07:30:00.000Z'],
  ['2026-03-01T08:30:00+01:00', '2026-03-01T07:30:00.000Z'],
  ['2026-03-01T08:30:00Z', '2026-03-01T08:30:00.000Z'],
  ['2026-03-01 08:30:00Z', null],
  ['2026-03-01 08:30', null],
  ['2026-03-01T08:30:00  01:00', null],
])('in a query, %s is %s', (text, time) => expect(z.safeParse(QueryInstant, text).data ?? null).toBe(time));
