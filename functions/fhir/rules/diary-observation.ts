import { type EntryContent, efficiencies, type Night, totalSleep24h } from '../../sleep/rules.ts';
import { idSystems, type Resource, referenceTo, resourceId } from './resource.ts';
import { loincCode, type OwnCode, observationCategory, ownCode, quantity } from './sleep-codes.ts';
import { zonedTime } from './zoned-time.ts';

export type DiaryNight = {
  readonly date: string;
  readonly content: EntryContent;
  readonly night: Night;
  readonly updatedAt: string;
  readonly replacedAt: string | null;
};

type Value = Readonly<Record<string, unknown>> | null;

/** A night of the diary as a FHIR R4 Observation of the sleep's duration; the other measures are its components. */
export function diaryObservation(
  userId: string,
  { date, content, night, updatedAt, replacedAt }: DiaryNight,
): Resource {
  const patient = referenceTo('Patient', userId);
  return {
    resourceType: 'Observation',
    id: resourceId('Observation', userId, 'diary', date),
    identifier: [{ system: idSystems.diary, value: date }],
    status: replacedAt === null ? 'final' : 'amended',
    category: observationCategory('survey'),
    code: loincCode('93832-4'),
    subject: patient,
    ...effectiveOf(date, content),
    issued: updatedAt,
    performer: [patient],
    ...quantity(night.totalSleep, 'min'),
    method: { text: 'Sleep diary' },
    component: componentsOf(content, night),
  };
}

/** The time in bed, by the clock where the person was; a night outside of any bed has its date. */
function effectiveOf(date: string, { inBedAt, outOfBedAt, zone }: EntryContent) {
  if (inBedAt === null || outOfBedAt === null) return { effectiveDateTime: date };
  return { effectivePeriod: { start: zonedTime(inBedAt, zone), end: zonedTime(outOfBedAt, zone) } };
}

function componentsOf(content: EntryContent, night: Night) {
  const { slept, naps, zone } = content;
  const notes = content.notes?.trim() ?? '';
  const { byTimeInBed, byEpisode } = efficiencies(night);
  const minutes = (value: number | null): Value => (value === null ? null : quantity(value, 'min'));
  const count = (value: number | null): Value => (value === null ? null : quantity(value, '1'));
  const time = (at: string | null): Value => (at === null ? null : { valueDateTime: zonedTime(at, zone) });
  const values: readonly (readonly [OwnCode, Value])[] = [
    ['time-in-bed', minutes(night.timeInBed)],
    ['lights-off', time(content.lightsOffAt)],
    ['sleep-onset-latency', minutes(content.sleepOnsetMinutes)],
    ['awakenings', count(content.awakenings)],
    ['wake-after-sleep-onset', minutes(content.wakeMinutes)],
    ['final-awakening', time(content.finalWakeAt)],
    ['trying-to-sleep-after-final-awakening', minutes(content.tryingToSleepAfterWakeMinutes)],
    ['sleep-efficiency', quantity(byTimeInBed / 100, '%')],
    ['sleep-episode-efficiency', slept ? quantity(byEpisode / 100, '%') : null],
    ['sleep-quality', content.quality === null ? null : { valueInteger: content.quality }],
    ['naps', count(naps?.count ?? null)],
    ['nap-duration', minutes(naps?.minutes ?? null)],
    ['total-sleep-24h', minutes(totalSleep24h(night))],
    ['nodded-off', content.noddedOff === null ? null : { valueBoolean: content.noddedOff }],
    // Not `note`, whose text FHIR takes for Markdown: what somebody wrote is no markup.
    ['notes', notes === '' ? null : { valueString: notes }],
  ];
  return values.flatMap(([code, value]) => (value === null ? [] : [{ code: ownCode(code), ...value }]));
}
