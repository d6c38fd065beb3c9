import type { IssueCode } from '../../../lib/contract/issues.ts';
import { addDays } from './dates.ts';
import { wallTime } from './zone.ts';

/**
 * An entry of the sleep diary, one for each date on which somebody woke up. The questions are those of the Consensus Sleep
 * Diary (Carney et al., Sleep 2012; 35(2):287–302, doi:10.5665/sleep.1642). Durations are minutes.
 */
export type DiaryEntry = {
  /** The IANA time zone of the place where the person woke up. */
  readonly zone: string;
  /** False: a night without sleep. */
  readonly slept: boolean;
  /** Null if the person did not go to bed that night; only possible in a night without sleep. */
  readonly inBedAt: string | null;
  /** The fields from this one to `tryingToSleepAfterWakeMinutes` are null in a night without sleep. */
  readonly lightsOffAt: string | null;
  /** Sleep onset latency (SOL). */
  readonly sleepOnsetMinutes: number | null;
  readonly awakenings: number | null;
  /** Wake after sleep onset (WASO). */
  readonly wakeMinutes: number | null;
  readonly finalWakeAt: string | null;
  /** Time attempting to sleep after the final awakening (TASAFA). */
  readonly tryingToSleepAfterWakeMinutes: number | null;
  readonly outOfBedAt: string | null;
};

export type Problem = { readonly path: string; readonly code: IssueCode; readonly message: string };

const minuteMs = 60_000;
const mostInBed = 1440;
const mostDaysBack = 30;

/** The instant without its seconds: people do not write down seconds. */
export function wholeMinute(instant: string): string {
  return new Date(Math.floor(Date.parse(instant) / minuteMs) * minuteMs).toISOString();
}

function minutesBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / minuteMs;
}

/** All problems of an entry; none if it is valid. */
export function entryProblems(entry: DiaryEntry, date: string, now: Date): Problem[] {
  const missing = missingFields(entry);
  return [...missing, ...(missing.length > 0 ? [] : timeProblems(entry)), ...dateProblems(entry, date, now)];
}

const needed = [
  'inBedAt',
  'lightsOffAt',
  'sleepOnsetMinutes',
  'awakenings',
  'wakeMinutes',
  'finalWakeAt',
  'tryingToSleepAfterWakeMinutes',
  'outOfBedAt',
] as const satisfies readonly (keyof DiaryEntry)[];

const ofSleep = [
  'lightsOffAt',
  'sleepOnsetMinutes',
  'awakenings',
  'wakeMinutes',
  'finalWakeAt',
  'tryingToSleepAfterWakeMinutes',
] as const satisfies readonly (keyof DiaryEntry)[];

function missingFields(entry: DiaryEntry): Problem[] {
  if (entry.slept) {
    return needed
      .filter((field) => entry[field] === null)
      .map((path) => ({ path, code: 'required', message: 'is needed of a night with sleep' }));
  }
  const stated: Problem[] = ofSleep
    .filter((field) => entry[field] !== null)
    .map((path) => ({ path, code: 'inconsistent', message: 'cannot be stated of a night without sleep' }));
  if ((entry.inBedAt === null) === (entry.outOfBedAt === null)) return stated;
  const path = entry.inBedAt === null ? 'inBedAt' : 'outOfBedAt';
  return [...stated, { path, code: 'required', message: 'is needed where the other end of the time in bed is stated' }];
}

/** Checks the order and the bounds of an entry that has all needed fields. */
function timeProblems(entry: DiaryEntry): Problem[] {
  const { slept, inBedAt, lightsOffAt, finalWakeAt, outOfBedAt } = entry;
  if (inBedAt === null || outOfBedAt === null) return [];
  const problems: Problem[] = [];
  const find = (isWrong: boolean, path: string, message: string) => {
    if (isWrong) problems.push({ path, code: 'inconsistent', message });
  };
  find(outOfBedAt < inBedAt, 'outOfBedAt', 'must not be before inBedAt');
  find(minutesBetween(inBedAt, outOfBedAt) > mostInBed, 'outOfBedAt', 'must be within 24 hours of inBedAt');
  if (!slept || lightsOffAt === null || finalWakeAt === null) return problems;
  find(lightsOffAt < inBedAt, 'lightsOffAt', 'must not be before inBedAt');
  find(finalWakeAt < lightsOffAt, 'finalWakeAt', 'must not be before lightsOffAt');
  find(outOfBedAt < finalWakeAt, 'outOfBedAt', 'must not be before finalWakeAt');
  const [sol, waso] = [entry.sleepOnsetMinutes ?? 0, entry.wakeMinutes ?? 0];
  find(
    finalWakeAt >= lightsOffAt && sol + waso >= minutesBetween(lightsOffAt, finalWakeAt),
    'wakeMinutes',
    'with sleepOnsetMinutes must leave time for sleep between lightsOffAt and finalWakeAt',
  );
  find(entry.awakenings === 0 && waso > 0, 'wakeMinutes', 'must be 0 where awakenings is 0');
  find(
    outOfBedAt >= finalWakeAt && (entry.tryingToSleepAfterWakeMinutes ?? 0) > minutesBetween(finalWakeAt, outOfBedAt),
    'tryingToSleepAfterWakeMinutes',
    'must not be longer than from finalWakeAt to outOfBedAt',
  );
  return problems;
}

function dateProblems({ slept, zone, finalWakeAt, outOfBedAt }: DiaryEntry, date: string, now: Date): Problem[] {
  const problems: Problem[] = [];
  const [last, path] = slept ? [finalWakeAt, 'finalWakeAt'] : [outOfBedAt, 'outOfBedAt'];
  if (last !== null && wallTime(Date.parse(last), zone).date !== date) {
    problems.push({
      path,
      code: 'inconsistent',
      message: 'must be on the date of the entry, by the clock in its zone',
    });
  }
  if (outOfBedAt !== null && Date.parse(outOfBedAt) > now.getTime()) {
    problems.push({ path: 'outOfBedAt', code: 'too_big', message: 'must not be in the future' });
  }
  const today = wallTime(now.getTime(), zone).date;
  if (date > today) problems.push({ path: 'date', code: 'too_big', message: 'must not be in the future' });
  if (date < addDays(today, -mostDaysBack)) {
    problems.push({ path: 'date', code: 'too_small', message: `must be ${mostDaysBack} days back at most` });
  }
  return problems;
}
