import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const week = '2026-W47';

export const reference: ReferenceTo<typeof routes> = {
  about: 'How the service is used, in counts.',
  examples: {
    readOverview: {
      answer: {
        at: '2026-11-22T07:14:20.118Z',
        users: {
          byStatus: [
            { status: 'active', count: 1 },
            { status: 'disabled', count: 0 },
          ],
          byWeek: [{ week, count: 1 }],
        },
        consents: [{ agreementId: 'terms-of-service', agreeing: 1 }],
        entitlements: { active: 0 },
        questionnaires: [{ week, due: 0, done: 0 }],
        sleepEntries: [{ week, count: 7 }],
        tickets: [
          { state: 'new', count: 1 },
          { state: 'open', count: 0 },
          { state: 'pending', count: 0 },
          { state: 'solved', count: 0 },
          { state: 'closed', count: 0 },
          { state: 'reopened', count: 0 },
        ],
      },
    },
  },
};
