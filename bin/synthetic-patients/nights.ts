import { addDays, type EntryStated } from '../../functions/sleep/rules.ts';
import { within } from './random.ts';
import { at, burdenOn, type Traits } from './traits.ts';

/** A night of the diary as the patient writes it down. */
export type RecordedNight = {
  readonly date: string;
  readonly writtenAt: string;
  readonly stated: EntryStated;
};

/** Free text. No export for research may have it. */
const notes = {
  de: ['Lange gegrübelt.', 'Nachbarn waren laut.', 'Spät gegessen, dann wach gelegen.'],
  en: ['Could not stop thinking.', 'The neighbours were loud.', 'Late dinner, then awake.'],
} as const;

export function recordedNights(traits: Traits): RecordedNight[] {
  const nights: RecordedNight[] = [];
  // The first night is the one after the first day.
  for (let date = addDays(traits.from, 1); date <= traits.to; date = addDays(date, 1)) {
    const night = recordedNight(traits, date);
    // The random numbers of a day are drawn even if the person writes nothing down.
    if (night && traits.random.chance(traits.diligence)) nights.push(night);
  }
  return nights;
}

function recordedNight(traits: Traits, date: string): RecordedNight | null {
  const { random, zone, to } = traits;
  const burden = burdenOn(traits, date);
  const isFree = [0, 6].includes(new Date(`${date}T12:00:00Z`).getUTCDay());
  const later = isFree ? 35 : 0;
  const bed = Math.round(traits.bedTime + later + random.normal(0, 25));
  const lightsOff = bed + random.whole(0, 30);
  const wake = Math.max(Math.round(traits.wakeTime + later + random.normal(0, 20)), lightsOff + 200);
  const awakenings = Math.round(within(random.normal(1 + 3 * burden, 1), 0, 8));
  const asleepLate = Math.round(within(random.normal(10 + 55 * burden, 14), 3, 150));
  const awake = awakenings === 0 ? 0 : Math.round(within(random.normal(8 + 75 * burden, 18), 2, 160));
  const lying = random.chance(0.5) ? random.whole(0, 20) : 0;
  const up = wake + lying + random.whole(1, 15);
  const written = within(up + random.whole(2, 240), 0, 1439);
  const isLate = random.chance(0.06) && date < to;
  const share = 1 - (asleepLate + awake) / (wake - lightsOff);
  const quality = Math.round(within(1 + 4.6 * (share - 0.5) + random.normal(0.6, 0.5), 1, 5));
  const alcohol = random.chance(isFree ? 0.4 : 0.15) ? { drinks: random.whole(1, 3) } : null;
  const caffeine = random.chance(0.7) ? { drinks: random.whole(1, 4) } : null;
  const naps = random.chance(0.12) ? { count: 1, minutes: random.whole(10, 60) } : null;
  const medication = random.chance(0.04) ? [{ name: 'Baldrian', dose: '450 mg' }] : null;
  const note = random.chance(0.05) ? random.pick(traits.locale === 'de' ? notes.de : notes.en) : null;
  // If no time for sleep is left, the drawn values do not make a night.
  if (asleepLate + awake >= wake - lightsOff - 60 || up > written) return null;
  const writtenAt = at(isLate ? addDays(date, 1) : date, written, zone);
  if (random.chance(0.003)) return { date, writtenAt, stated: { zone, slept: false, quality: 1 } };
  return {
    date,
    writtenAt,
    stated: {
      zone,
      slept: true,
      inBedAt: at(date, bed, zone),
      lightsOffAt: at(date, lightsOff, zone),
      sleepOnsetMinutes: asleepLate,
      awakenings,
      wakeMinutes: awake,
      finalWakeAt: at(date, wake, zone),
      tryingToSleepAfterWakeMinutes: lying,
      outOfBedAt: at(date, up, zone),
      quality,
      naps,
      medication,
      alcohol,
      caffeine,
      notes: note,
    },
  };
}
