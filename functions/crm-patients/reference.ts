import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const patient = '95f807be-bb56-4119-899f-ee487ecfa121';
const since = '2026-11-22T07:13:59.412Z';
const agreedAt = '2026-11-22T07:14:03.738Z';
const profile = { email: 'patient@example.com', locale: 'de-DE', timezone: 'Europe/Berlin' };

const nothing = { mean: null, standardDeviation: null };
const of = (mean: number, standardDeviation: number) => ({ mean, standardDeviation });

const redeemedAt = '2026-11-22T07:14:05.612Z';
const completedAt = '2026-11-22T07:14:06.093Z';
const answeredAt = '2026-11-22T07:14:04.535Z';
const entitlementId = '01a2046c-1cef-7b78-8912-2b53c79b1da7';

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
        entitlements: [
          {
            entitlementId,
            programmeId: 'insomnia-basic',
            startsAt: redeemedAt,
            endsAt: '2027-02-20T07:14:05.612Z',
            status: 'active',
          },
        ],
        adherence: {
          from: '2026-10-26',
          to: '2026-11-22',
          diaryNights: 5,
          unitsCompleted: 1,
          lastDiaryDate: '2026-11-21',
          lastUnitAt: completedAt,
          lastResponseAt: answeredAt,
        },
        scores: [
          {
            responseId: 'b8d2f103',
            questionnaireId: 'phq-9',
            version: '1.1',
            completedAt: answeredAt,
            scores: [{ scoreId: 'total', value: 10, bandId: 'moderate', missing: 0, rule: 'phq-9/1.1/1' }],
            flags: ['self-harm'],
          },
        ],
        sleep: {
          from: '2026-10-26',
          to: '2026-11-22',
          nights: 5,
          nightsWithoutSleep: 0,
          timeInBedMinutes: of(430, 20),
          totalSleepMinutes: of(334, 28.81),
          totalSleep24hMinutes: { mean: null, standardDeviation: null },
          sleepOnsetMinutes: of(30, 7.91),
          wakeMinutes: of(56, 11.94),
          efficiencyPercent: of(77.56, 3.25),
          episodeEfficiencyPercent: of(79.41, 3.24),
          midSleep: { mean: '03:07', standardDeviationMinutes: 5.97 },
          quality: of(3, 0),
          regularity: { index: 95.83, pairs: 4 },
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
          {
            kind: 'unit',
            at: completedAt,
            eventId: 'sleep-basics/sleep-basics.what-sleep-does',
            subject: 'sleep-basics',
          },
          { kind: 'entitlement', at: redeemedAt, eventId: entitlementId, subject: 'insomnia-basic' },
        ],
        metadata: { limit: 2, count: 2, hasMore: true, nextCursor: 'x' },
      },
    },
  },
};
