/** Which days the answer has. Pure; dates are `2026-11-21`, in UTC. */

export const mostDays = 366;
const usualDays = 30;
const dayMs = 86_400_000;

type PeriodQuery = { from?: string | undefined; to?: string | undefined };

/**
 * Every day asked for, in order: the 30 up to today unless something else is said, and never one that has not begun. What
 * begins at `from` and has no `to` ends today, or with the 366th day.
 */
export function datesOf({ from, to }: PeriodQuery, now: Date): string[] {
  const today = dayOf(now.getTime());
  const end = Math.min(to === undefined ? today : Date.parse(to), today);
  const begin = from === undefined ? end - (usualDays - 1) * dayMs : Date.parse(from);
  const length = Math.min((end - begin) / dayMs + 1, mostDays);
  return Array.from({ length: Math.max(length, 0) }, (_, day) => dateOf(begin + day * dayMs));
}

/** The last moment of a day; of today, this one. */
export function endOf(date: string, now: Date): string {
  return new Date(Math.min(Date.parse(date) + dayMs - 1, now.getTime())).toISOString();
}

function dayOf(time: number): number {
  return time - (time % dayMs);
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
