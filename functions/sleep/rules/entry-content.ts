import { createHash } from 'node:crypto';
import { canonicalTimeZone } from '../../users/rules.ts';
import { clockOf } from './dates.ts';
import { type DiaryEntry, wholeMinute } from './diary-entry.ts';
import { rounded } from './moments.ts';
import { type Nap, type Naps, napsOf } from './naps.ts';
import { efficiencies, type Night, totalSleep24h } from './night.ts';

/** Everything that a patient writes down about a night. */

type Drinks = { drinks: number; lastAt: string | null };

export type EntryContent = DiaryEntry & {
  quality: number | null;
  naps: Naps | null;
  medication: { name: string; dose: string | null; takenAt: string | null }[] | null;
  alcohol: Drinks | null;
  caffeine: Drinks | null;
  notes: string | null;
  /** Whether the patient nodded off, or nearly, while driving or in another dangerous situation. */
  noddedOff: boolean | null;
};

type Optional<T> = T | null | undefined;

type DrinksStated = { drinks: number; lastAt?: Optional<string> };

export type EntryStated = { zone: string; slept?: boolean | undefined } & {
  [N in keyof Omit<DiaryEntry, 'zone' | 'slept'>]?: Optional<DiaryEntry[N]>;
} & {
  quality?: Optional<number>;
  /** With times, number and length follow from them. */
  naps?: Optional<{ count?: number | undefined; minutes?: number | undefined; times?: Optional<Nap[]> }>;
  medication?: Optional<{ name: string; dose?: Optional<string>; takenAt?: Optional<string> }[]>;
  alcohol?: Optional<DrinksStated>;
  caffeine?: Optional<DrinksStated>;
  notes?: Optional<string>;
  noddedOff?: Optional<boolean>;
};

/**
 * The stored form, always with this order of fields. A field that was left out is null, seconds are cut off, and drinks
 * are rounded to hundredths.
 */
export function contentOf(stated: EntryStated): EntryContent {
  const minute = (at: Optional<string>) => (at == null ? null : wholeMinute(at));
  // Rounded also because the database stores no number below 1e-130.
  const drinks = (of: Optional<DrinksStated>) =>
    of ? { drinks: rounded(of.drinks), lastAt: minute(of.lastAt) } : null;
  const slept = stated.slept ?? true;
  return {
    zone: canonicalTimeZone(stated.zone),
    slept,
    inBedAt: minute(stated.inBedAt),
    lightsOffAt: minute(stated.lightsOffAt),
    sleepOnsetMinutes: stated.sleepOnsetMinutes ?? null,
    awakenings: stated.awakenings ?? null,
    wakeMinutes: stated.wakeMinutes ?? null,
    finalWakeAt: minute(stated.finalWakeAt),
    tryingToSleepAfterWakeMinutes: stated.tryingToSleepAfterWakeMinutes ?? (slept ? 0 : null),
    outOfBedAt: minute(stated.outOfBedAt),
    quality: stated.quality ?? null,
    naps: stated.naps ? napsStated(stated.naps) : null,
    medication:
      stated.medication?.map(({ name, dose, takenAt }) => ({ name, dose: dose ?? null, takenAt: minute(takenAt) })) ??
      null,
    alcohol: drinks(stated.alcohol),
    caffeine: drinks(stated.caffeine),
    notes: stated.notes ?? null,
    noddedOff: stated.noddedOff ?? null,
  };
}

function napsStated({ count = 0, minutes = 0, times }: NonNullable<EntryStated['naps']>): Naps {
  if (!times) return { count, minutes, times: null };
  return napsOf(times.map(({ start, end }) => ({ start: wholeMinute(start), end: wholeMinute(end) })));
}

/** Identifies a repeated write. */
export function fingerprintOf(content: EntryContent): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** The computed figures that are shown with an entry. */
export function figuresOf(night: Night) {
  const { byTimeInBed, byEpisode } = efficiencies(night);
  const { doubledMidSleep } = night;
  return {
    timeInBedMinutes: night.timeInBed,
    totalSleepMinutes: night.totalSleep,
    totalSleep24hMinutes: totalSleep24h(night),
    efficiencyPercent: byTimeInBed / 100,
    episodeEfficiencyPercent: byEpisode / 100,
    midSleep: doubledMidSleep === null ? null : clockOf(doubledMidSleep / 2),
  };
}
