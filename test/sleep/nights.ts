import { contentOf, type EntryStated } from '../../functions/sleep/rules/entry-content.ts';
import { type Night, nightOf } from '../../functions/sleep/rules/night.ts';

/** Nights for the tests of rules. */

/** One as a phone sends it: 23:00 to 07:00 in Berlin, half an hour to fall asleep. */
export function stated(date: string, more: Partial<EntryStated> = {}): EntryStated {
  const day = Date.parse(`${date}T00:00:00Z`);
  const at = (hours: number) => new Date(day + hours * 3_600_000).toISOString();
  return {
    zone: 'Europe/Berlin',
    inBedAt: at(-2),
    lightsOffAt: at(-2),
    sleepOnsetMinutes: 30,
    awakenings: 1,
    wakeMinutes: 30,
    finalWakeAt: at(6),
    outOfBedAt: at(6),
    quality: 3,
    ...more,
  };
}

export function night(date: string, more: Partial<EntryStated> = {}): Night {
  const content = contentOf(stated(date, more));
  return nightOf(date, content, content.quality);
}

/** With these minutes, falling asleep at this minute of the clock. */
export function plainNight(date: string, more: Partial<Night> = {}): Night {
  const { onsetMinute = -30, wakeMinute = 420 } = more;
  return {
    date,
    slept: true,
    timeInBed: 480,
    totalSleep: 420,
    episode: 480,
    sleepOnset: 30,
    wake: 30,
    quality: 3,
    onsetMinute: -30,
    wakeMinute: 420,
    riseMinute: 420,
    doubledMidSleep: onsetMinute === null || wakeMinute === null ? null : onsetMinute + wakeMinute,
    napMinutes: null,
    naps: [],
    ...more,
  };
}
