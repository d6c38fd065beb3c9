import * as InstantFns from 'temporal-polyfill/fns/Instant';
import * as PlainDateTimeFns from 'temporal-polyfill/fns/PlainDateTime';
import * as ZonedDateTimeFns from 'temporal-polyfill/fns/ZonedDateTime';
import { dateOfDay, dayMinutes, dayOf } from './dates.ts';

/** Local clock times in an IANA time zone. Only the functions that need this include a library of time zones. */

export type WallTime = {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /**
   * Minutes after midnight as the clock shows them, even on a day that is longer or shorter because summer time
   * changes.
   */
  readonly minute: number;
};

const [minuteMs, minuteNs] = [60_000, 60_000_000_000];

export function wallTime(instantMs: number, zone: string): WallTime {
  const zoned = InstantFns.toZonedDateTimeISO(InstantFns.fromEpochMilliseconds(instantMs), zone);
  const minutes = Math.floor(instantMs / minuteMs + ZonedDateTimeFns.offsetNanoseconds(zoned) / minuteNs);
  const day = Math.floor(minutes / dayMinutes);
  return { date: dateOfDay(day), minute: minutes - day * dayMinutes };
}

/**
 * The instant at which the clock shows this time. If there are two, it is the first one. If there is none, it is the
 * instant computed with the offset before the gap (RFC 5545 section 3.3.5).
 */
export function instantOf({ date, minute }: WallTime, zone: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const plain = PlainDateTimeFns.create(year, month, day, Math.floor(minute / 60), minute % 60);
  return PlainDateTimeFns.toZonedDateTime(plain, zone).epochMilliseconds;
}

/** Clock minutes from the midnight at which the date begins; negative for the evening before. */
export function minuteOf(date: string, instantMs: number, zone: string): number {
  const { date: at, minute } = wallTime(instantMs, zone);
  return (dayOf(at) - dayOf(date)) * dayMinutes + minute;
}
