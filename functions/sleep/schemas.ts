import * as z from 'zod/mini';
import {
  CalendarDate,
  combined,
  Instant,
  manyLines,
  oneLine,
  Timestamp,
  TimeZone,
  visibleLine,
  WriteOutcome,
  wellFormed,
} from '../../lib/contract/fields.ts';
import { issue } from '../../lib/contract/issues.ts';
import { SleepWindowState } from './window-schemas.ts';

export * from './window-schemas.ts';

/** What a patient writes down about a night, and what is computed from nights. Durations are in minutes. */

const zone = TimeZone;
const text = (length: number) => z.string().check(z.maxLength(length), wellFormed, visibleLine);

const most = { naps: 20, minutes: 1440 } as const;
const napCount = z.int().check(z.gte(0), z.lte(most.naps));
const napMinutes = z.int().check(z.gte(0), z.lte(most.minutes));

export const SleepNapInput = z.object({ start: Instant, end: Instant });

const isStated = (name: 'count' | 'minutes') =>
  z.refine<{ count?: number | undefined; minutes?: number | undefined; times?: unknown }>(
    (naps) => naps.times != null || naps[name] !== undefined,
    issue('required', 'is needed where no times are stated', [name]),
  );

/**
 * Either `times`, in order, or `count` and `minutes`. With `times`, the other two follow from them. A list in place of the
 * object means its `times`.
 */
export const SleepNapsInput = z
  .object({
    count: z.optional(napCount),
    minutes: z.optional(napMinutes),
    times: z.optional(z.nullable(z.array(SleepNapInput).check(z.maxLength(most.naps)))),
  })
  .check(isStated('count'), isStated('minutes'));

const listOfNaps = z.transform((naps: unknown) => (Array.isArray(naps) ? { times: naps } : naps));

export const SleepMedicationInput = z.object({
  name: text(100),
  dose: z.optional(z.nullable(z.string().check(z.maxLength(100), wellFormed, oneLine))),
  takenAt: z.optional(z.nullable(Instant)),
});

export const SleepDrinksInput = z.object({
  drinks: z.number().check(z.gte(0), z.lte(100)),
  lastAt: z.optional(z.nullable(Instant)),
});

/** As in rules/diary-entry.ts, which checks a body whose fields are valid. */
const neededOfNight = [
  'inBedAt',
  'lightsOffAt',
  'sleepOnsetMinutes',
  'awakenings',
  'wakeMinutes',
  'finalWakeAt',
  'outOfBedAt',
] as const;

/** An answer to a body with mistakes names the missing fields, too, so that an app learns of all of them at once. */
const missingFields = z.check<{ slept?: boolean | undefined } & { [N in (typeof neededOfNight)[number]]?: unknown }>(
  ({ value, issues }) => {
    if (value.slept === false) return;
    for (const name of neededOfNight) {
      if (value[name] != null || issues.some(({ path }) => path?.[0] === name)) continue;
      const message = 'is needed of a night with sleep';
      issues.push({ code: 'custom', input: value, path: [name], message, params: { code: 'required' } });
    }
  },
  { when: ({ issues, value }) => issues.length > 0 && typeof value === 'object' && value !== null },
);

/** Null means the same as a field that was left out. */
export const SleepEntryBody = z
  .object({
    zone,
    slept: z.optional(z.boolean()),
    inBedAt: z.optional(z.nullable(Instant)),
    lightsOffAt: z.optional(z.nullable(Instant)),
    sleepOnsetMinutes: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(1440)))),
    awakenings: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(100)))),
    wakeMinutes: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(1440)))),
    finalWakeAt: z.optional(z.nullable(Instant)),
    tryingToSleepAfterWakeMinutes: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(1440)))),
    outOfBedAt: z.optional(z.nullable(Instant)),
    quality: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(5)))),
    naps: z.optional(z.pipe(listOfNaps, z.nullable(SleepNapsInput))),
    medication: z.optional(z.nullable(z.array(SleepMedicationInput).check(z.maxLength(10)))),
    alcohol: z.optional(z.nullable(SleepDrinksInput)),
    caffeine: z.optional(z.nullable(SleepDrinksInput)),
    notes: z.optional(z.nullable(z.string().check(z.maxLength(2000), wellFormed, manyLines))),
    /** 'Did you nod off, or nearly, while driving or in another dangerous situation?' Yes suspends the sleep window. */
    noddedOff: z.optional(z.nullable(z.boolean())),
    recordedAt: z.optional(Instant),
  })
  .check(missingFields);

const time = z.nullable(Timestamp);
const whole = z.nullable(z.int());

export const SleepNap = z.object({ start: Timestamp, end: Timestamp });

export const SleepNaps = z.object({
  count: z.int(),
  minutes: z.int(),
  /** Null if only number and length were stated. */
  times: z.nullable(z.array(SleepNap)),
});

export const SleepMedication = z.object({ name: z.string(), dose: z.nullable(z.string()), takenAt: time });

export const SleepDrinks = z.object({ drinks: z.number(), lastAt: time });

/** What is computed from an entry. */
export const SleepFigures = z.object({
  /** From `inBedAt` to `outOfBedAt` (TIB). */
  timeInBedMinutes: z.int(),
  /** TST. */
  totalSleepMinutes: z.int(),
  /** TST and the naps. Null if nothing was said about naps; without naps, state a `count` of 0 or an empty list. */
  totalSleep24hMinutes: whole,
  /** TST divided by TIB. */
  efficiencyPercent: z.number(),
  /**
   * TST divided by the duration of the sleep episode (DSE), which does not include time in bed for other things than
   * sleeping.
   */
  episodeEfficiencyPercent: z.number(),
  /** By the clock in the entry's zone, `03:10`. */
  midSleep: z.nullable(z.string()),
});

const entryFields = {
  /** The date of waking up. */
  date: CalendarDate,
  zone: z.string(),
  slept: z.boolean(),
  inBedAt: time,
  lightsOffAt: time,
  sleepOnsetMinutes: whole,
  awakenings: whole,
  wakeMinutes: whole,
  finalWakeAt: time,
  tryingToSleepAfterWakeMinutes: whole,
  outOfBedAt: time,
  quality: whole,
  naps: z.nullable(SleepNaps),
  medication: z.nullable(z.array(SleepMedication)),
  alcohol: z.nullable(SleepDrinks),
  caffeine: z.nullable(SleepDrinks),
  notes: z.nullable(z.string()),
  noddedOff: z.nullable(z.boolean()),
  figures: SleepFigures,
  recordedAt: Timestamp,
  updatedAt: Timestamp,
  /** When the replaced entry was recorded. */
  replacedAt: time,
};

export const SleepEntry = z.object(entryFields);

/** The answer to a write. */
export const WrittenSleepEntry = z.object(combined(entryFields, { outcome: WriteOutcome }));

export const sleepSources = ['healthkit', 'health-connect', 'fitbit'] as const;

/** The names of the sources: rules/stages.ts says to which source each name belongs, and what it means. */
export const sleepStageNames = [
  'inBed',
  'asleepUnspecified',
  'awake',
  'asleepCore',
  'asleepDeep',
  'asleepREM',
  'UNKNOWN',
  'AWAKE',
  'SLEEPING',
  'OUT_OF_BED',
  'LIGHT',
  'DEEP',
  'REM',
  'AWAKE_IN_BED',
  'wake',
  'light',
  'deep',
  'rem',
  'asleep',
  'restless',
] as const;

export const SleepStageInput = z.object({ stage: z.enum(sleepStageNames), startAt: Instant, endAt: Instant });

export const SleepEpisodeInput = z.object({
  source: z.enum(sleepSources),
  sourceId: text(200),
  zone,
  startAt: Instant,
  endAt: Instant,
  /** Empty for a Health Connect session without stages: the whole session counts as sleep. */
  stages: z.array(SleepStageInput).check(z.maxLength(500)),
});

export const SleepEpisodeResult = z.object({
  source: z.string(),
  sourceId: z.string(),
  /** The date on which it ended, by the clock in its zone. */
  date: CalendarDate,
  /** `left-out`: the date already has the highest number of episodes that are kept for one date. */
  outcome: z.enum(['stored', 'unchanged', 'replaced', 'left-out']),
});

export const SleepSpread = z.object({
  mean: z.nullable(z.number()),
  /** The standard deviation of a sample; null for fewer than two values. */
  standardDeviation: z.nullable(z.number()),
});

export const SleepMidpoint = z.object({
  mean: z.nullable(z.string()),
  standardDeviationMinutes: z.nullable(z.number()),
});

export const SleepRegularity = z.object({
  /** The Sleep Regularity Index, −100 to 100; null without two adjacent days. */
  index: z.nullable(z.number()),
  /** The number of pairs of adjacent days from which it is computed. */
  pairs: z.int(),
});

export const DeviceSleep = z.object({
  nights: z.int(),
  asleepMinutes: SleepSpread,
  awakeMinutes: SleepSpread,
  coreMinutes: SleepSpread,
  deepMinutes: SleepSpread,
  remMinutes: SleepSpread,
});

const summary = {
  from: CalendarDate,
  to: CalendarDate,
  nights: z.int(),
  nightsWithoutSleep: z.int(),
  timeInBedMinutes: SleepSpread,
  totalSleepMinutes: SleepSpread,
  /** Of the nights with a statement about naps. */
  totalSleep24hMinutes: SleepSpread,
  sleepOnsetMinutes: SleepSpread,
  wakeMinutes: SleepSpread,
  efficiencyPercent: SleepSpread,
  episodeEfficiencyPercent: SleepSpread,
  midSleep: SleepMidpoint,
  quality: SleepSpread,
  regularity: SleepRegularity,
  device: DeviceSleep,
};

export const SleepPeriod = z.object(summary);

export const SleepSummary = z.object(combined(summary, { by: z.string(), periods: z.array(SleepPeriod) }));

export const SleepReport = z.object({
  from: CalendarDate,
  to: CalendarDate,
  summary: SleepSummary,
  window: SleepWindowState,
  entries: z.array(SleepEntry),
});
