import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

/** Of the twelve weeks of an overview all but the last, in which something happens. */
const quiet = [36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46].map((week) => `2026-W${week}`);
const week = '2026-W47';
const quietWeeks = quiet.map((each) => ({ week: each, count: 0 }));
const agreements = ['data-sharing', 'marketing', 'privacy-policy', 'research-data', 'terms-of-service'];

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
          byWeek: [...quietWeeks, { week, count: 1 }],
        },
        consents: agreements.map((agreementId) => ({ agreementId, agreeing: 0 })),
        entitlements: { active: 0 },
        questionnaires: [...quiet, week].map((each) => ({ week: each, due: 0, done: 0 })),
        sleepEntries: [...quietWeeks, { week, count: 5 }],
        tickets: [
          { state: 'new', count: 0 },
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
