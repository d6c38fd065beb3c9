import { type Circle, momentsOnCircle, onCircle } from './clock-times.ts';
import { clockOf, dayMinutes, minuteOfClock } from './dates.ts';
import { asleepSeconds, chosenEpisodes, type Episode } from './episode.ts';
import { joinedMoments, type Moments, momentsOf, noMoments, rounded, type Spread, spreadOf } from './moments.ts';
import { doubledMidSleep, efficiencies, type Night } from './night.ts';
import { regularityOf } from './regularity.ts';

/** What a range of dates adds up to. Two halves joined are the whole, but for the regularity, which compares neighbours. */
export type Tally = { readonly [N in keyof typeof measures]: Moments } & {
  readonly nightsWithoutSleep: number;
  /** Half minutes of the clock, in order: their mean depends on where the circle is cut, which needs all of them. */
  readonly midSleeps: readonly number[];
  readonly device: { readonly [N in keyof typeof deviceMeasures]: Moments };
};

/** Minutes, but for `efficiency…` (hundredths of a percent) and `quality` (1 to 5). */
const measures = {
  timeInBed: ({ timeInBed }: Night) => timeInBed,
  totalSleep: ({ totalSleep }: Night) => totalSleep,
  sleepOnset: ({ sleepOnset }: Night) => sleepOnset,
  wake: ({ wake }: Night) => wake,
  efficiencyByTimeInBed: (night: Night) => efficiencies(night).byTimeInBed,
  efficiencyByEpisode: (night: Night) => efficiencies(night).byEpisode,
  quality: ({ quality }: Night) => quality,
};

/** Of two opposite times the mean is the one by night. */
const clock: Circle = { around: 2 * dayMinutes, from: 2 * (minuteOfClock('15:00') - dayMinutes) };

type DeviceNight = readonly Episode[];

/** Seconds of a date's chosen episodes together; null where the source does not say. */
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

/** Only of nights with distinct stages. */
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
      nights.map(doubledMidSleep).filter((time) => time !== null),
      clock,
    ),
    device: mapped(deviceMeasures, (of) => momentsOf(devices.map(of))),
  };
}

/** Of two ranges without a date in common. */
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

/** As it is shown: minutes and percent, to hundredths. */
export function summaryOf(tally: Tally, nights: readonly Night[]) {
  const { device, midSleeps } = tally;
  const seconds = (moments: Moments): Spread => spreadOf(moments, 60);
  const middle = spreadOf(momentsOnCircle(midSleeps, clock), 2);
  return {
    nights: tally.timeInBed.count,
    nightsWithoutSleep: tally.nightsWithoutSleep,
    timeInBedMinutes: spreadOf(tally.timeInBed),
    totalSleepMinutes: spreadOf(tally.totalSleep),
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

/** Total sleep by the whole time in bed of some nights, in percent, as a week is judged; null where nobody went to bed. */
export function efficiencyOf(nights: readonly Pick<Night, 'totalSleep' | 'timeInBed'>[]): number | null {
  const { sum: asleep } = nights.length === 0 ? noMoments : momentsOf(nights.map(({ totalSleep }) => totalSleep));
  const { sum: inBed } = momentsOf(nights.map(({ timeInBed }) => timeInBed));
  return inBed === 0 ? null : rounded((100 * asleep) / inBed);
}
