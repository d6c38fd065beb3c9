import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'Who looked at whose data, and why they could.',
  examples: {
    listAccessLog: {
      query: { limit: 1 },
      answer: {
        items: [
          {
            lookId: '20261122T071404.621Z.4246d20d1f0c9a3b',
            at: '2026-11-22T07:14:04.621Z',
            name: 'Dr. Ada Example',
            roles: ['physician'],
            site: { siteId: 'example-site', name: 'Example sleep clinic' },
            relation: 'care',
            action: 'POST /users/{userId}/sleep/window/withdraw',
            consent: { agreementId: 'data-sharing', recordId: '5b0f8e5c-2f6a-4f0e-8a57-6f1f0a9b3c21' },
          },
        ],
        metadata: { limit: 1, count: 1, hasMore: true, nextCursor: 'Gk2xV0cJm4nT…' },
      },
    },
  },
};
