import { asleepSeconds, type Episode, rounded, type Source, type Stage } from '../../sleep/rules.ts';
import { concept, idSystems, type Resource, referenceTo, resourceId } from './resource.ts';
import { loincCode, observationCategory, ownCode, quantity } from './sleep-codes.ts';
import { zonedTime } from './zoned-time.ts';

export type RecordedEpisode = Episode & { readonly zone: string; readonly updatedAt: string };

const devices: Readonly<Record<Source, string>> = {
  healthkit: 'Apple HealthKit',
  'health-connect': 'Android Health Connect',
  fitbit: 'Fitbit',
};

const codes = {
  asleepDeep: loincCode('93831-6'),
  asleepCore: loincCode('93830-8'),
  asleepREM: loincCode('93829-0'),
  asleepUnspecified: ownCode('asleep-unspecified'),
  awake: ownCode('awake'),
  inBed: ownCode('in-bed'),
} as const satisfies Record<Stage, unknown>;

const ofStages: readonly Stage[] = ['asleepDeep', 'asleepCore', 'asleepREM'];
const order: readonly Stage[] = [...ofStages, 'asleepUnspecified', 'awake', 'inBed'];

/** A night or a nap as a device recorded it, as a FHIR R4 Observation of the sleep's duration; its stages are components. */
export function episodeObservation(userId: string, episode: RecordedEpisode): Resource {
  const { source, sourceId, zone, startAt, endAt, updatedAt, seconds } = episode;
  const tellsStages = ofStages.some((stage) => seconds[stage] > 0);
  const shown = order.filter((stage) => seconds[stage] > 0 || (tellsStages && ofStages.includes(stage)));
  return {
    resourceType: 'Observation',
    id: resourceId('Observation', userId, 'episode', source, sourceId),
    identifier: [{ system: `${idSystems.episode}/${source}`, value: sourceId }],
    status: 'final',
    category: observationCategory('activity'),
    code: loincCode('93832-4'),
    subject: referenceTo('Patient', userId),
    effectivePeriod: { start: zonedTime(startAt, zone), end: zonedTime(endAt, zone) },
    issued: updatedAt,
    performer: [referenceTo('Patient', userId)],
    ...durationOf(episode),
    device: { display: devices[source] },
    ...(shown.length > 0 && {
      component: shown.map((stage) => ({ code: codes[stage], ...minutes(seconds[stage]) })),
    }),
  };
}

/** What says no more than that somebody was in bed does not say that nobody slept. */
function durationOf(episode: Episode) {
  const asleep = asleepSeconds(episode);
  if (asleep > 0 || episode.seconds.awake > 0) return minutes(asleep);
  const absent = 'http://terminology.hl7.org/CodeSystem/data-absent-reason';
  return { dataAbsentReason: concept(absent, 'unknown', 'Unknown') };
}

function minutes(seconds: number) {
  return quantity(rounded(seconds / 60), 'min');
}
