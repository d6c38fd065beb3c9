import { randomUUID } from 'node:crypto';
import { client } from '../api.ts';

/** A patient with a diary, over HTTP. */

const dayMs = 86_400_000;

/** A date so many days ago, in UTC. */
export function daysAgo(days: number, now = Date.now()): string {
  return new Date(now - days * dayMs).toISOString().slice(0, 10);
}

/** The night that ended on the date, 23:00 to 06:30 in UTC: 405 of 450 minutes. */
export function entryOf(date: string, more: object = {}) {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const at = (minutes: number) => new Date(midnight + minutes * 60_000).toISOString();
  return {
    zone: 'UTC',
    inBedAt: at(-60),
    lightsOffAt: at(-60),
    sleepOnsetMinutes: 20,
    awakenings: 2,
    wakeMinutes: 25,
    finalWakeAt: at(390),
    outOfBedAt: at(390),
    quality: 4,
    ...more,
  };
}

/** A night that a watch recorded, with stages. */
export function episodeOf(date: string, more: object = {}) {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const at = (minutes: number) => new Date(midnight + minutes * 60_000).toISOString();
  return {
    source: 'healthkit' as const,
    sourceId: randomUUID(),
    zone: 'UTC',
    startAt: at(-60),
    endAt: at(390),
    stages: [
      { stage: 'asleepCore', startAt: at(-30), endAt: at(240) },
      { stage: 'asleepDeep', startAt: at(240), endAt: at(300) },
      { stage: 'asleepREM', startAt: at(300), endAt: at(390) },
    ],
    ...more,
  };
}

export async function patient() {
  return client();
}
