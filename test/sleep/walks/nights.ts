import { expect } from 'vitest';
import { addDays } from '../../../functions/sleep/rules/dates.ts';
import type { Walker } from './walk.ts';

/** The diaries of the walks, and clock times in Berlin. */

/** Summer time ended on 2026-10-25 and began on 2027-03-28, in the night before that morning. */
const offsetOf = (date: string) => (date < '2026-10-25' || date >= '2027-03-28' ? '+02:00' : '+01:00');

/** In the evening, or in the morning from three o'clock on; the hours between are in the night of the change. */
export function inBerlin(date: string, clock: string): string {
  return new Date(`${date}T${clock}:00${offsetOf(date)}`).toISOString();
}

const before = {
  ...{ bed: '23:30', rise: '07:00' },
  ...{ sleepOnsetMinutes: 45, awakenings: 2, wakeMinutes: 45 },
};

export type Night = typeof before;

/** From the evening before this date, or after midnight if bed time is in the morning. */
function nightOf(date: string, { bed, rise, ...more }: Night) {
  const inBedAt = inBerlin(bed < '12:00' ? date : addDays(date, -1), bed);
  const outOfBedAt = inBerlin(date, rise);
  return { zone: 'Europe/Berlin', inBedAt, lightsOffAt: inBedAt, finalWakeAt: outOfBedAt, outOfBedAt, ...more };
}

export async function write({ person }: Walker, date: string, more: object = {}): Promise<void> {
  const body = { ...nightOf(date, before), ...more };
  expect((await person.ask('PUT', `/sleep/entries/${date}`, { body })).status).toBe(200);
}

/** As many nights, up to this morning. */
export async function keepDiary(walker: Walker, last: string, days: number, night: Night = before): Promise<void> {
  for (let index = 0; index < days; index += 1) {
    const date = addDays(last, -index);
    await write(walker, date, nightOf(date, night));
  }
}
