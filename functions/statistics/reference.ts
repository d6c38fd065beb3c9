import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const none = {
  agreeing: 0,
  reconsentDue: 0,
  revoked: 0,
  agreements: 0,
  revocations: 0,
  returns: 0,
  replaced: 0,
};

export const reference: ReferenceTo<typeof routes> = {
  about: 'How many consent, counted from the records.',
  examples: {
    readStatistics: {
      params: { agreementId: 'marketing' },
      query: { from: '2026-03-01', to: '2026-03-01' },
      answer: {
        agreementId: 'marketing',
        application: 'sleepcare',
        at: '2026-11-22T07:14:02.197Z',
        ...none,
        versions: [
          {
            versionId: 'marketing-1.0',
            label: '1.0',
            changeType: 'major',
            status: 'active',
            ...none,
          },
        ],
        days: [
          {
            date: '2026-03-01',
            ...none,
            versions: [],
          },
        ],
      },
    },
  },
};
