import { addDays } from './dates.ts';
import type { DiaryEntry, Problem } from './diary-entry.ts';
import { minuteOf, wallTime } from './zone.ts';

/** The naps of an entry: those that the patient states with it, on its date or on the day before. Each nap belongs to one entry. */

export type Nap = { readonly start: string; readonly end: string };

export type Naps = {
  readonly count: number;
  readonly minutes: number;
  /** Null if only the number and the length together were stated. */
  readonly times: Nap[] | null;
};

/** What of an entry its naps depend on. */
type WithNaps = Pick<DiaryEntry, 'zone' | 'inBedAt' | 'outOfBedAt'> & { readonly naps: Naps | null };

const minuteMs = 60_000;
const dayMinutes = 1440;

function minutesOf({ start, end }: Nap): number {
  return (Date.parse(end) - Date.parse(start)) / minuteMs;
}

/** Number and length follow from the times, so that every reader finds them. */
export function napsOf(times: Nap[]): Naps {
  return { count: times.length, minutes: times.reduce((sum, nap) => sum + minutesOf(nap), 0), times };
}

/** By the clock in the entry's zone, in minutes from the midnight at which its date begins. */
export function napIntervals(date: string, { zone, naps }: Pick<WithNaps, 'zone' | 'naps'>): [number, number][] {
  const clock = (instant: string) => minuteOf(date, Date.parse(instant), zone);
  return (naps?.times ?? []).map(({ start, end }) => [clock(start), clock(end)]);
}

/** @param nightMinutes the sleep of the night; null if the entry has problems of its own */
export function napProblems(entry: WithNaps, date: string, now: Date, nightMinutes: number | null): Problem[] {
  const { zone, naps, inBedAt, outOfBedAt } = entry;
  if (naps === null) return [];
  const problems: Problem[] = [];
  const find = (isWrong: boolean, path: string, code: Problem['code'], message: string) => {
    if (isWrong) problems.push({ path, code, message });
  };
  let latest = '';
  for (const [index, { start, end }] of (naps.times ?? []).entries()) {
    const at = `naps.times[${index}]`;
    const day = wallTime(Date.parse(start), zone).date;
    const isOfDay = day === date || day === addDays(date, -1);
    find(!isOfDay, `${at}.start`, 'inconsistent', 'must be on the date of the entry or on the day before, by its zone');
    find(end <= start, `${at}.end`, 'inconsistent', 'must be after start');
    find(start < latest, `${at}.start`, 'inconsistent', 'must not be before the end of the nap before it');
    find(Date.parse(end) > now.getTime(), `${at}.end`, 'too_big', 'must not be in the future');
    const isInBed = inBedAt !== null && outOfBedAt !== null && start < outOfBedAt && end > inBedAt;
    find(isInBed, at, 'inconsistent', 'must not be within the time in bed');
    latest = end > latest ? end : latest;
  }
  if (nightMinutes === null || problems.length > 0) return problems;
  find(nightMinutes + naps.minutes > dayMinutes, 'naps', 'inconsistent', 'with the night must be 24 hours at most');
  return problems;
}
