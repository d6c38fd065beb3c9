import type { DiaryEntry } from './diary-entry.ts';
import { type Naps, napIntervals } from './naps.ts';
import { minuteOf } from './zone.ts';

/**
 * The figures of a diary entry, computed once when it is written. They are whole minutes, so that sums are exact, and
 * no reader needs a library of time zones. Clock times are minutes from the midnight at which the date begins, by the
 * clock in the entry's zone.
 */
export type Night = {
  readonly date: string;
  readonly slept: boolean;
  /** TIB. The length is correct even if summer time begins or ends during it. */
  readonly timeInBed: number;
  /** TST. */
  readonly totalSleep: number;
  /** DSE, the duration of the sleep episode: SOL + TST + WASO + TASAFA. */
  readonly episode: number;
  /** SOL and WASO; null without sleep. */
  readonly sleepOnset: number | null;
  readonly wake: number | null;
  readonly quality: number | null;
  /** Clock times of falling asleep, of the final awakening and of getting up; null if there is none. */
  readonly onsetMinute: number | null;
  readonly wakeMinute: number | null;
  readonly riseMinute: number | null;
  /**
   * The middle of the time between falling asleep and the final awakening, by the clock, doubled so that it is whole.
   * Null without sleep.
   */
  readonly doubledMidSleep: number | null;
  /** The length of all naps; null if nothing was said about naps. */
  readonly napMinutes: number | null;
  /** Clock times of the beginning and the end of each nap whose times are known. */
  readonly naps: readonly (readonly [from: number, to: number])[];
};

const minuteMs = 60_000;

/** @param entry an entry without problems */
export function nightOf(
  date: string,
  entry: DiaryEntry & { readonly naps: Naps | null },
  quality: number | null,
): Night {
  const { zone, slept, inBedAt, lightsOffAt, finalWakeAt, outOfBedAt } = entry;
  const ms = (instant: string | null) => (instant === null ? 0 : Date.parse(instant));
  const clock = (at: number) => minuteOf(date, at, zone);
  const timeInBed = (ms(outOfBedAt) - ms(inBedAt)) / minuteMs;
  const riseMinute = outOfBedAt === null ? null : clock(ms(outOfBedAt));
  const napMinutes = entry.naps?.minutes ?? null;
  const common = { date, slept, timeInBed, riseMinute, quality, napMinutes, naps: napIntervals(date, entry) };
  if (!slept) {
    const none = { sleepOnset: null, wake: null, onsetMinute: null, wakeMinute: null, doubledMidSleep: null };
    return { ...common, totalSleep: 0, episode: 0, ...none };
  }
  const [sleepOnset, wake] = [entry.sleepOnsetMinutes ?? 0, entry.wakeMinutes ?? 0];
  const totalSleep = (ms(finalWakeAt) - ms(lightsOffAt)) / minuteMs - sleepOnset - wake;
  const onsetAt = ms(lightsOffAt) + sleepOnset * minuteMs;
  return {
    ...common,
    totalSleep,
    episode: sleepOnset + totalSleep + wake + (entry.tryingToSleepAfterWakeMinutes ?? 0),
    sleepOnset,
    wake,
    onsetMinute: clock(onsetAt),
    wakeMinute: clock(ms(finalWakeAt)),
    doubledMidSleep: doubledMinuteOf(date, (onsetAt + ms(finalWakeAt)) / 2, zone),
  };
}

/** The sleep of the night and of the naps that are stated with it. Null if nothing was said about naps. */
export function totalSleep24h({ totalSleep, napMinutes }: Night): number | null {
  return napMinutes === null ? null : totalSleep + napMinutes;
}

/**
 * Sleep efficiency in hundredths of a percent. Two definitions are in use: TST divided by TIB, and TST divided by DSE.
 * DSE does not include the time in bed that people use for other things than sleeping (Reed and Sacco, J Clin Sleep Med
 * 2016; 12(2):263–266, doi:10.5664/jcsm.5498).
 */
export function efficiencies({ totalSleep, timeInBed, episode }: Pick<Night, 'totalSleep' | 'timeInBed' | 'episode'>) {
  const of = (whole: number) => (whole === 0 ? 0 : Math.round((10_000 * totalSleep) / whole));
  return { byTimeInBed: of(timeInBed), byEpisode: of(episode) };
}

/**
 * Clock time in half minutes. The middle of two clock times would be wrong in a night in which the clock changes, so
 * this is the clock time of the middle of the elapsed time.
 */
function doubledMinuteOf(date: string, at: number, zone: string): number {
  return 2 * minuteOf(date, at, zone) + (at % minuteMs === 0 ? 0 : 1);
}
