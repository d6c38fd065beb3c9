import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'Who administered what, and when.',
  examples: {
    listAuditEvents: {
      query: { subject: 'agreement/sleep-diary' },
      answer: {
        items: [
          {
            eventId: '20261122T071357621Z-4246d20d',
            at: '2026-11-22T07:13:57.621Z',
            actor: '37220927-b3cb-4528-8d0a-2a0fd0aac537',
            action: 'agreement.created',
            subject: 'agreement/sleep-diary',
            requestId: 'eiyDwtfS_aR7GzY=',
            before: null,
            after: {
              agreementId: 'sleep-diary',
              application: 'sleepcare',
              title: 'Sleep diary',
              isRequired: false,
              position: 50,
            },
          },
        ],
        metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null },
      },
    },
  },
};
