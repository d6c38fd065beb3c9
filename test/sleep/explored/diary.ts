import { addDays } from '../../../functions/sleep/rules/dates.ts';
import type { Call, End, Row } from '../../../lib/explore/scenario.ts';

/** A diary in Berlin in winter: 23:30 to 07:00, of which so many minutes awake. The scenarios begin on the last of its dates. */

export const lastNight = '2026-03-01';

export function night<M extends object>(date: string, more: M = {} as M) {
  const [evening, morning] = [`${addDays(date, -1)}T23:30:00+01:00`, `${date}T07:00:00+01:00`];
  return {
    zone: 'Europe/Berlin',
    inBedAt: evening,
    lightsOffAt: evening,
    sleepOnsetMinutes: 45,
    awakenings: 2,
    wakeMinutes: 45,
    finalWakeAt: morning,
    outOfBedAt: morning,
    ...more,
  };
}

export const entry = (date: string, body: unknown, etag?: string | null) => ({
  params: { date },
  body,
  ...(typeof etag === 'string' && { headers: { 'If-Match': etag } }),
});

export function codeOf({ answer: { body } }: Call): string {
  const { code = '' } = (body.error ?? body) as { code?: string };
  return code;
}

export function entryRow({ rows }: End, date: string): Row | undefined {
  return rows('SleepEntries').find((row) => row.date === date);
}

/** The nights on which the patient nodded off. */
export function signRows({ rows }: End): Row[] {
  return rows('SleepinessSigns');
}

/** The decisions, by their number. */
export function windowRows({ rows }: End): Row[] {
  return rows('SleepWindows').toSorted((one, other) => one.sequence - other.sequence);
}
