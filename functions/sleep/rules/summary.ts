import { type Circle, momentsOnCircle, onCircle } from './clock-times.ts';
import { clockOf, dayMinutes, minuteOfClock } from './dates.ts';
import { asleepSeconds, chosenEpisodes, type Episode } from './episode.ts';
import { joinedMoments, type Moments, momentsOf, noMoments, rounded, type Spread, spreadOf } from './moments.ts';
import { efficiencies, type Night, totalSleep24h } from './night.ts';
import { regularityOf } from './regularity.ts';

/**
 * The sums of a range of dates. The sums of two ranges can be added, except for the regularity, which compares adjacent
 * days.
 */
export type Tally = { readonly [N in keyof typeof measures]: Moments } & {
  readonly nightsWithoutSleep: number;
  /** Clock times in half minutes, in order. Their mean depends on where the circle is cut, so all of them are kept. */
  readonly midSleeps: readonly number[];
  readonly device: { readonly [N in keyof typeof deviceMeasures]: Moments };
};

/** In minutes, except `efficiency…` (hundredths of a percent) and `quality` (1 to 5). */
const measures = {
  timeInBed: ({ timeInBed }: Night) => timeInBed,
  totalSleep: ({ totalSleep }: Night) => totalSleep,
  totalSleep24h,
  sleepOnset: ({ sleepOnset }: Night) => sleepOnset,
  wake: ({ wake }: Night) => wake,
  efficiencyByTimeInBed: (night: Night) => efficiencies(night).byTimeInBed,
  efficiencyByEpisode: (night: Night) => efficiencies(night).byEpisode,
  quality: ({ quality }: Night) => quality,
};

/** If two times are opposite, their mean is the one in the night. */
const clock: Circle = { around: 2 * dayMinutes, from: 2 * (minuteOfClock('15:00') - dayMinutes) };

type DeviceNight = readonly Episode[];

/** The sum of seconds of a date's chosen episodes; null if the source does not say it. */
const deviceMeasures = {
  asleep: (night: DeviceNight) => total(night, asleepSeconds) || null,
  awake: (night: DeviceNight) =>
    total(night, asleepSeconds) > 0 ? total(night, ({ seconds }) => seconds.awake) : null,
  core: (night: DeviceNight) => staged(night, ({ seconds }) => seconds.asleepCore),
  deep: (night: DeviceNight) => staged(night, ({ seconds }) => seconds.asleepDeep),
  rem: (night: DeviceNight) => staged(night, ({ seconds }) => seconds.asleepREM),
};

function total(night: DeviceNight, of: (episode: Episode) => number): number {
  return night.reduce((sum, episode) => sum + of(episode), 0);
}

/** Only for nights with distinct stages. */
function staged(night: DeviceNight, of: (episode: Episode) => number): number | null {
  const isStaged = total(
    night,
    ({ seconds: { asleepCore, asleepDeep, asleepREM } }) => asleepCore + asleepDeep + asleepREM,
  );
  return isStaged > 0 ? total(night, of) : null;
}

export const noTally: Tally = tallyOf([], []);

export function tallyOf(nights: readonly Night[], episodes: readonly Episode[]): Tally {
  const devices = [...Map.groupBy(episodes, ({ date }) => date).values()].map(chosenEpisodes);
  return {
    ...mapped(measures, (of) => momentsOf(nights.map(of))),
    nightsWithoutSleep: nights.filter(({ slept }) => !slept).length,
    midSleeps: onCircle(
      nights.map(({ doubledMidSleep }) => doubledMidSleep).filter((time) => time !== null),
      clock,
    ),
    device: mapped(deviceMeasures, (of) => momentsOf(devices.map(of))),
  };
}

/** Adds two ranges that have no date in common. */
export function joinedTallies(one: Tally, other: Tally): Tally {
  return {
    ...mapped(measures, (_of, name) => joinedMoments(one[name], other[name])),
    nightsWithoutSleep: one.nightsWithoutSleep + other.nightsWithoutSleep,
    midSleeps: [...one.midSleeps, ...other.midSleeps].toSorted((first, second) => first - second),
    device: mapped(deviceMeasures, (_of, name) => joinedMoments(one.device[name], other.device[name])),
  };
}

function mapped<T extends object, V>(of: T, value: (each: T[keyof T], name: keyof T) => V): { [N in keyof T]: V } {
  const entries = Object.entries(of).map(([name, each]) => [name, value(each as T[keyof T], name as keyof T)]);
  return Object.fromEntries(entries) as { [N in keyof T]: V };
}

export type Summary = ReturnType<typeof summaryOf>;

/** The shown form: minutes and percent, rounded to hundredths. */
export function summaryOf(tally: Tally, nights: readonly Night[]) {
  const { device, midSleeps } = tally;
  const seconds = (moments: Moments): Spread => spreadOf(moments, 60);
  const middle = spreadOf(momentsOnCircle(midSleeps, clock), 2);
  return {
    nights: tally.timeInBed.count,
    nightsWithoutSleep: tally.nightsWithoutSleep,
    timeInBedMinutes: spreadOf(tally.timeInBed),
    totalSleepMinutes: spreadOf(tally.totalSleep),
    totalSleep24hMinutes: spreadOf(tally.totalSleep24h),
    sleepOnsetMinutes: spreadOf(tally.sleepOnset),
    wakeMinutes: spreadOf(tally.wake),
    efficiencyPercent: spreadOf(tally.efficiencyByTimeInBed, 100),
    episodeEfficiencyPercent: spreadOf(tally.efficiencyByEpisode, 100),
    midSleep: {
      mean: middle.mean === null ? null : clockOf(middle.mean),
      standardDeviationMinutes: middle.standardDeviation,
    },
    quality: spreadOf(tally.quality),
    regularity: regularityOf(nights),
    device: {
      nights: device.asleep.count,
      asleepMinutes: seconds(device.asleep),
      awakeMinutes: seconds(device.awake),
      coreMinutes: seconds(device.core),
      deepMinutes: seconds(device.deep),
      remMinutes: seconds(device.rem),
    },
  };
}

/**
 * The total sleep of some nights divided by their total time in bed, in percent. A week is judged by it. Null if there
 * was no time in bed.
 */
export function efficiencyOf(nights: readonly Pick<Night, 'totalSleep' | 'timeInBed'>[]): number | null {
  const { sum: asleep } = nights.length === 0 ? noMoments : momentsOf(nights.map(({ totalSleep }) => totalSleep));
  const { sum: inBed } = momentsOf(nights.map(({ timeInBed }) => timeInBed));
  return inBed === 0 ? null : rounded((100 * asleep) / inBed);
}
