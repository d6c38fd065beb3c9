import { addDays, dayOf, instantOf, wallTime } from '../../sleep/rules.ts';

/** When a site's staff is at work, and what is due after so much of that time. Pure. */

export type BusinessHours = {
  /** Of IANA's. */
  readonly timezone: string;
  /** Of each day, Monday first: minutes of the clock on the wall from which and to which it is open, in order. None: closed all day. */
  readonly week: readonly (readonly (readonly [from: number, to: number])[])[];
  /** Dates on which it is closed: a list, or a rule. */
  readonly holidays: { includes(date: string): boolean };
};

/** The longest time that is searched for one due time. A site that is open for less than a quarter of an hour a week counts as having no hours. */
const mostDays = 3660;

/**
 * The instant at which so many minutes of open time have passed, each as long as it really is. At the end of a day it is that end,
 * and not the next morning.
 *
 * @returns null where the site is not open for so long in ten years
 */
export function afterBusinessMinutes(from: Date, minutes: number, hours: BusinessHours): Date | null {
  let left = minutes * 60_000;
  let { date } = wallTime(from.getTime(), hours.timezone);
  for (let day = 0; day < mostDays; day += 1, date = addDays(date, 1)) {
    for (const [opens, closes] of openOn(date, hours)) {
      const begin = Math.max(instantAt(date, opens, hours.timezone), from.getTime());
      const lasts = instantAt(date, closes, hours.timezone) - begin;
      if (lasts <= 0) continue;
      if (left <= lasts) return new Date(begin + left);
      left -= lasts;
    }
  }
  return null;
}

/** @param minute up to midnight at the day's end */
function instantAt(date: string, minute: number, timezone: string): number {
  return instantOf(minute === 1440 ? { date: addDays(date, 1), minute: 0 } : { date, minute }, timezone);
}

function openOn(date: string, { week, holidays }: BusinessHours) {
  if (holidays.includes(date)) return [];
  // 1970-01-01 was a Thursday.
  return week[(dayOf(date) + 3) % 7] ?? [];
}
