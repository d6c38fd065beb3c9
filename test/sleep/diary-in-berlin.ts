import { expect } from 'vitest';
import { addDays } from '../../functions/sleep/rules/dates.ts';
import type { Person } from './stage.ts';

/** 23:30 to 07:00 by the clock in Berlin, with so many minutes awake. */
export function nightOf(date: string, more: object = {}) {
  const offset = (day: string) => (day < '2027-03-28' ? '+01:00' : '+02:00');
  const [evening, morning] = [
    `${addDays(date, -1)}T23:30:00${offset(addDays(date, -1))}`,
    `${date}T07:00:00${offset(date)}`,
  ];
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

export const write = ({ ask }: Person, date: string, more: object = {}) =>
  ask('PUT', `/sleep/entries/${date}`, { body: nightOf(date, more) });

export async function keepDiary(patient: Person, last: string, days: number, more: object = {}) {
  for (let index = 0; index < days; index += 1)
    expect((await write(patient, addDays(last, -index), more)).status).toBe(200);
}
