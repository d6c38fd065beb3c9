import * as InstantFns from 'temporal-polyfill/fns/Instant';
import * as PlainDateTimeFns from 'temporal-polyfill/fns/PlainDateTime';
import * as ZonedDateTimeFns from 'temporal-polyfill/fns/ZonedDateTime';
import { dateOfDay, dayMinutes, dayOf } from './dates.ts';

/** What a clock on the wall shows, in a zone of IANA's. The functions that need this carry a library of zones, and no others. */

export type WallTime = {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Minutes after midnight as the clock shows them, also on a day that a change of summer time makes longer or shorter. */
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
 * When the clock shows it: of two such instants the first, where there is none the one as long after midnight (RFC 5545
 * section 3.3.5).
 */
export function instantOf({ date, minute }: WallTime, zone: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const plain = PlainDateTimeFns.create(year, month, day, Math.floor(minute / 60), minute % 60);
  return PlainDateTimeFns.toZonedDateTime(plain, zone).epochMilliseconds;
}

/** Minutes on the clock from the midnight that the date begins with: negative for the evening before. */
export function minuteOf(date: string, instantMs: number, zone: string): number {
  const { date: at, minute } = wallTime(instantMs, zone);
  return (dayOf(at) - dayOf(date)) * dayMinutes + minute;
}
