import { createHash } from 'node:crypto';
import { addDays, instantOf } from '../../functions/sleep/rules.ts';
import { type Random, randomOf, within } from './random.ts';

export type Plan = {
  readonly patients: number;
  /** The number of days with data, including the last one. */
  readonly days: number;
  readonly seed: number | string;
  /** The last date, `YYYY-MM-DD`. */
  readonly until: string;
};

/** The traits of a person, which decide all other data. */
export type Traits = {
  readonly random: Random;
  readonly userId: string;
  readonly zone: string;
  readonly locale: string;
  /** From 0 to 1: how bad the sleep was before the therapy. */
  readonly severity: number;
  /** From 0 to 1: how much the therapy improves the sleep in eight weeks. */
  readonly response: number;
  /** From 0 to 1: on how many days the person writes something down. */
  readonly diligence: number;
  /** Minutes after midnight, in local time, of going to bed (negative: before midnight) and of waking up. */
  readonly bedTime: number;
  readonly wakeTime: number;
  /** The first and the last date on which the person uses the app. */
  readonly from: string;
  readonly to: string;
};

export type AppVersionUse = { readonly appVersion: string; readonly from: string };

const zones = [
  'Europe/Berlin',
  'Europe/Berlin',
  'Europe/Berlin',
  'Europe/Berlin',
  'Europe/Vienna',
  'Europe/Zurich',
  'Europe/London',
  'Europe/Lisbon',
] as const;

export function traitsOf({ days, seed, until }: Plan, number: number): Traits {
  const name = `${seed}/${until}/${days}/${number}`;
  const random = randomOf(name);
  const first = addDays(until, 1 - days);
  // People begin on different days, and some stop before the end.
  const from = addDays(first, random.whole(0, Math.min(Math.floor(days / 6), 14)));
  const stays = random.chance(0.85) ? days : random.whole(Math.ceil(days / 4), days);
  const last = addDays(from, stays - 1);
  const zone = random.pick(zones);
  const bedTime = random.normal(-60, 35);
  return {
    random,
    userId: madeUpId(name),
    zone,
    locale: zone === 'Europe/London' || zone === 'Europe/Lisbon' ? 'en' : 'de',
    severity: within(random.normal(0.62, 0.15), 0.1, 1),
    response: within(random.normal(0.5, 0.2), 0, 0.9),
    diligence: within(random.normal(0.82, 0.12), 0.4, 0.99),
    bedTime,
    wakeTime: within(bedTime + random.normal(455, 25), 300, 600),
    from,
    to: last < until ? last : until,
  };
}

/** @param minute minutes after midnight in the zone's local time; negative before midnight */
export function at(date: string, minute: number, zone: string): string {
  const whole = Math.round(minute);
  const day = Math.floor(whole / 1440);
  return new Date(instantOf({ date: addDays(date, day), minute: whole - day * 1440 }, zone)).toISOString();
}

/** From 0 to 1: how bad the sleep is on a date. */
export function burdenOn({ severity, response, from }: Traits, date: string): number {
  const days = (Date.parse(date) - Date.parse(from)) / 86_400_000;
  return severity * (1 - response * within(days / 56, 0, 1));
}

/** A UUID in the form of the pools' ids, so the local stage can make tokens for it. Random UUIDs do not begin with eight zeros, so this one belongs to nobody. */
function madeUpId(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex');
  return digest.replace(/^(.{4})(.{3})(.{3})(.{12}).*$/, '00000000-$1-8$2-8$3-$4');
}
