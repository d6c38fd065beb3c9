/** Dates of a person's own calendar, `YYYY-MM-DD`. A day on which summer time changes counts like any other day. */

export const dayMinutes = 1440;
const dayMs = 86_400_000;

/** Days since 1970-01-01. */
export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs;
}

export function dateOfDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

export function addDays(date: string, days: number): string {
  return dateOfDay(dayOf(date) + days);
}

export type Range = { readonly from: string; readonly to: string };

export type Period = 'week' | 'month';

/** The period to which a date belongs. A week begins on Monday (ISO 8601). */
function periodOf(date: string, by: Period): Range {
  if (by === 'week') {
    // 1970-01-01 was a Thursday.
    const monday = dayOf(date) - ((((dayOf(date) + 3) % 7) + 7) % 7);
    return { from: dateOfDay(monday), to: dateOfDay(monday + 6) };
  }
  const month = date.slice(0, 7);
  return { from: `${month}-01`, to: addDays(periodStartAfter(month), -1) };
}

function periodStartAfter(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
}

/** The periods of a range. The first and the last are cut at the ends of the range. */
export function periodsIn({ from, to }: Range, by: Period): Range[] {
  const periods: Range[] = [];
  for (let begin = from; begin <= to; ) {
    const { to: whole } = periodOf(begin, by);
    const end = whole < to ? whole : to;
    periods.push({ from: begin, to: end });
    begin = addDays(end, 1);
  }
  return periods;
}

/**
 * The clock time, such as `06:30`, from minutes before or after any midnight: the nearest whole minute. Of two, it is the
 * earlier one, which a clock shows at that time.
 */
export function clockOf(minute: number): string {
  const rounded = ((Math.ceil(minute - 0.5) % dayMinutes) + dayMinutes) % dayMinutes;
  return `${String(Math.floor(rounded / 60)).padStart(2, '0')}:${String(rounded % 60).padStart(2, '0')}`;
}

/** @param clock `06:30` */
export function minuteOfClock(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  return hour * 60 + minute;
}
