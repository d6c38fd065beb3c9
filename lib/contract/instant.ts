/**
 * An instant as in RFC 3339 section 5.6 (`date-time`): any offset, with or without fractions of a second, `T` and `Z` in
 * either case. The section's note allows a blank instead of the `T`, but its grammar does not; it is not accepted here.
 */
const form =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

const [dayMs, hourMs, minuteMs, secondMs] = [86_400_000, 3_600_000, 60_000, 1_000];

/**
 * A fraction is cut off after milliseconds. A leap second, at the end of a month in UTC, counts as the second after it, as
 * in POSIX time. `-00:00` is UTC.
 *
 * @returns milliseconds since 1970; NaN for anything that is not an instant, including impossible dates
 */
export function instantMs(text: string): number {
  const found = form.exec(text);
  if (!found) return Number.NaN;
  const [, , , , , , , fraction = '', sign = '+', offsetHours = '0', offsetMinutes = '0'] = found;
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1, 7).map(Number);
  const day = new Date(0);
  // Does not change years below 100, and turns a 30th of February into a date in March.
  day.setUTCFullYear(year, month - 1, date);
  if (day.getUTCMonth() !== month - 1 || day.getUTCDate() !== date) return Number.NaN;
  const offset = Number(offsetHours) * hourMs + Number(offsetMinutes) * minuteMs;
  const local = day.getTime() + hours * hourMs + minutes * minuteMs + seconds * secondMs;
  const second = sign === '-' ? local + offset : local - offset;
  if (seconds === 60 && !beginsMonth(second)) return Number.NaN;
  const time = second + Number(fraction.slice(0, 3).padEnd(3, '0'));
  // In UTC: only years of four digits, so that times compare as text. There is no year 0.
  const utcYear = new Date(time).getUTCFullYear();
  return utcYear >= 1 && utcYear <= 9999 ? time : Number.NaN;
}

function beginsMonth(time: number): boolean {
  return time % dayMs === 0 && new Date(time).getUTCDate() === 1;
}

/** By so much the clocks of two hosts may differ. */
export const skewMs = 60_000;

/** Of a time to come is no row of an honest function, and nobody believes it. @param time ISO 8601; false for what is no time */
export function isToCome(time: string, now: Date): boolean {
  return Date.parse(time) > now.getTime() + skewMs;
}

/** No record of a chain has a time from then on: so behind each, but the last possible one, there is one for the record that follows it. */
export const endOfRecords = '9999';

/** Whether a record of a chain can have the time. Whoever may write a record may give it another key. */
export function isRecordTime(text: unknown): text is string {
  return isTime(text) && text < endOfRecords;
}

/** A time as we write it. Whoever may write a row may write another one. */
export function isTime(text: unknown): text is string {
  // Times are compared as texts, so a year has four digits.
  const ms = typeof text === 'string' && text.length === 24 ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text;
}
