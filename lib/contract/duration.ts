import * as z from 'zod/mini';

/**
 * A duration as in ISO 8601-1 section 5.5.2, with a sign as in ISO 8601-2: `PT8H`, `P1DT30M`, `PT0.5S`, `-P2W`. Years and
 * months are not accepted: their length depends on the start. A day has 24 hours.
 */
const form =
  /^([+-]?)P(?=[\dT])(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:[.,](\d{1,3}))?S)?)?$/;

export const Duration = z
  .string()
  .check(
    z.regex(form, 'must be an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as PT8H or -P1DT30M'),
  );

const [week, day, hour, minute, second] = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000];

/** @returns milliseconds; NaN for anything that is not a `Duration` */
export function durationMs(text: string): number {
  const found = form.exec(text);
  if (!found) return Number.NaN;
  const [, sign, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0, fraction = ''] = found;
  const whole =
    Number(weeks) * week +
    Number(days) * day +
    Number(hours) * hour +
    Number(minutes) * minute +
    Number(seconds) * second;
  const total = whole + Number(fraction.padEnd(3, '0'));
  return sign === '-' && total !== 0 ? -total : total;
}
