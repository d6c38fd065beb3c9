import { dayMinutes, dayOf, wallTime } from '../../sleep/rules.ts';

const minuteMs = 60_000;

/**
 * An instant as FHIR's `dateTime`, by the clock in a zone: `2026-03-29T07:00:00+02:00`. It shows both the instant and the local
 * time, also in the night in which summer time begins.
 */
export function zonedTime(instant: string, zone: string): string {
  const ms = Date.parse(instant);
  const { date, minute } = wallTime(ms, zone);
  const offset = dayOf(date) * dayMinutes + minute - Math.floor(ms / minuteMs);
  const seconds = String(Math.floor(ms / 1000) % 60).padStart(2, '0');
  return `${date}T${clock(minute)}:${seconds}${offset < 0 ? '-' : '+'}${clock(Math.abs(offset))}`;
}

function clock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
