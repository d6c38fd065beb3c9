/**
 * An instant as RFC 3339 section 5.6 has it (`date-time`): any offset, with or without fractions of a second, `T` and `Z` in
 * either case. The blank that the section's note allows in place of the `T` is not in its grammar, and none here.
 */
const form =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

const [dayMs, hourMs, minuteMs, secondMs] = [86_400_000, 3_600_000, 60_000, 1_000];

/**
 * Beyond milliseconds a fraction is cut off. A leap second, which ends a month of UTC, counts as the second after it, as in
 * POSIX time. `-00:00` is UTC.
 *
 * @returns milliseconds since 1970; NaN for what is no instant, nonsense dates among it
 */
export function instantMs(text: string): number {
  const found = form.exec(text);
  if (!found) return Number.NaN;
  const [, , , , , , , fraction = '', sign = '+', offsetHours = '0', offsetMinutes = '0'] = found;
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1, 7).map(Number);
  const day = new Date(0);
  // Takes the years below 100 as they are, and carries a 30th of February over into March.
  day.setUTCFullYear(year, month - 1, date);
  if (day.getUTCMonth() !== month - 1 || day.getUTCDate() !== date) return Number.NaN;
  const offset = Number(offsetHours) * hourMs + Number(offsetMinutes) * minuteMs;
  const local = day.getTime() + hours * hourMs + minutes * minuteMs + seconds * secondMs;
  const second = sign === '-' ? local + offset : local - offset;
  if (seconds === 60 && !beginsMonth(second)) return Number.NaN;
  const time = second + Number(fraction.slice(0, 3).padEnd(3, '0'));
  // In UTC: years of four digits, by which times compare as text; there is no year 0.
  const utcYear = new Date(time).getUTCFullYear();
  return utcYear >= 1 && utcYear <= 9999 ? time : Number.NaN;
}

function beginsMonth(time: number): boolean {
  return time % dayMs === 0 && new Date(time).getUTCDate() === 1;
}
