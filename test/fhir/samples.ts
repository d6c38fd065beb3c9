import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import type { RecordedEpisode } from '../../functions/fhir/rules/episode-observation.ts';
import { contentOf, type EntryStated } from '../../functions/sleep/rules/entry-content.ts';
import { nightOf } from '../../functions/sleep/rules/night.ts';

/** What the resources are made of, as the tables have it. */

export const content = {
  title: 'Neuigkeiten',
  contentUrl: 'https://mobile-health.example/marketing-1.0.de.html',
  contentHash: 'a'.repeat(64),
};

export function recordOf(more: Partial<ConsentRecord> = {}): ConsentRecord {
  return {
    userId: 'u',
    agreementId: 'marketing',
    recordedAt: '2026-03-01T10:00:00.000Z',
    sequence: 1,
    recordId: '5b0f8e5c-2f6a-4f0e-8a57-6f1f0a9b3c21',
    action: 'agreed',
    versionId: 'marketing-1.0',
    contentHash: content.contentHash,
    locale: 'de',
    localeSource: 'stated',
    appVersion: null,
    requestId: 'request',
    source: 'user',
    previousHash: null,
    hash: 'b'.repeat(64),
    ...more,
  };
}

export function diaryNightOf(date: string, stated: EntryStated) {
  const entry = contentOf(stated);
  const night = nightOf(date, entry, entry.quality);
  return { date, content: entry, night, updatedAt: '2026-03-29T08:00:00.000Z', replacedAt: null as string | null };
}

/** From 23:00 to 7:00 by the clock: seven hours, as summer time begins. */
export const diaryNight = diaryNightOf('2026-03-29', {
  zone: 'Europe/Berlin',
  inBedAt: '2026-03-28T22:00:00.000Z',
  lightsOffAt: '2026-03-28T22:00:00.000Z',
  sleepOnsetMinutes: 30,
  awakenings: 2,
  wakeMinutes: 30,
  finalWakeAt: '2026-03-29T05:00:00.000Z',
  outOfBedAt: '2026-03-29T05:00:00.000Z',
  quality: 4,
  naps: { count: 1, minutes: 20 },
  notes: 'Slept <well> & long.',
});

const none = { inBed: 0, asleepUnspecified: 0, awake: 0, asleepCore: 0, asleepDeep: 0, asleepREM: 0 };

export function episode(seconds: Partial<RecordedEpisode['seconds']>, more: object = {}): RecordedEpisode {
  return {
    date: '2026-03-29',
    source: 'healthkit',
    sourceId: 'e1#é <x>',
    zone: 'Europe/Berlin',
    startAt: '2026-03-28T22:00:00.000Z',
    endAt: '2026-03-29T05:00:00.000Z',
    seconds: { ...none, ...seconds },
    updatedAt: '2026-03-29T08:00:00.000Z',
    ...more,
  };
}
