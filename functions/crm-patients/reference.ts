import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const patient = '95f807be-bb56-4119-899f-ee487ecfa121';
const since = '2026-11-22T07:13:59.412Z';
const agreedAt = '2026-11-22T07:14:03.738Z';
const profile = { email: 'patient@example.com', locale: 'de-DE', timezone: 'Europe/Berlin' };

const nothing = { mean: null, standardDeviation: null };

export const reference: ReferenceTo<typeof routes> = {
  about: 'What the staff of a site sees of its patients.',
  examples: {
    listPatients: {
      query: { limit: 20 },
      answer: {
        items: [
          {
            userId: patient,
            siteId: 'example-site',
            since,
            sharedSince: agreedAt,
            versionId: 'data-sharing-1.0',
            ...profile,
          },
        ],
        metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null },
      },
    },
    readPatient: {
      params: { userId: patient },
      answer: {
        userId: patient,
        profile,
        sites: [{ siteId: 'example-site', name: 'Example sleep clinic', since }],
        consent: {
          agreementId: 'data-sharing',
          versionId: 'data-sharing-1.0',
          recordId: '5b0f8e5c-2f6a-4f0e-8a57-6f1f0a9b3c21',
          agreedAt,
        },
        entitlements: [],
        adherence: {
          from: '2026-10-26',
          to: '2026-11-22',
          diaryNights: 5,
          unitsCompleted: 0,
          lastDiaryDate: '2026-11-21',
          lastUnitAt: null,
          lastResponseAt: null,
        },
        scores: [],
        sleep: {
          from: '2026-10-26',
          to: '2026-11-22',
          nights: 5,
          nightsWithoutSleep: 0,
          timeInBedMinutes: nothing,
          totalSleepMinutes: nothing,
          sleepOnsetMinutes: nothing,
          wakeMinutes: nothing,
          efficiencyPercent: nothing,
          episodeEfficiencyPercent: nothing,
          midSleep: { mean: null, standardDeviationMinutes: null },
          quality: nothing,
          regularity: { index: null, pairs: 0 },
          device: {
            nights: 0,
            asleepMinutes: nothing,
            awakeMinutes: nothing,
            coreMinutes: nothing,
            deepMinutes: nothing,
            remMinutes: nothing,
          },
        },
        openTickets: [],
      },
    },
    readPatientTimeline: {
      params: { userId: patient },
      query: { limit: 2 },
      answer: {
        items: [
          { kind: 'site', at: since, eventId: 'example-site', subject: 'example-site' },
          { kind: 'diary', at: '2026-11-21T00:00:00.000Z', eventId: '2026-11-21', subject: null },
        ],
        metadata: { limit: 2, count: 2, hasMore: true, nextCursor: 'x' },
      },
    },
  },
};
