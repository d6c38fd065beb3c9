import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const patient = '95f807be-bb56-4119-899f-ee487ecfa121';
const since = '2026-11-22T07:13:59.412Z';
const agreedAt = '2026-11-22T07:14:03.738Z';
const profile = { email: 'patient@example.com', locale: 'de-DE', timezone: 'Europe/Berlin' };

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
      },
    },
  },
};
