import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'Who looked at whose data, and why they could.',
  examples: {
    listAccessLog: {
      answer: {
        items: [
          {
            lookId: '20261122T071357.621Z.4246d20d1f0c9a3b',
            at: '2026-11-22T07:13:57.621Z',
            name: null,
            roles: ['agent'],
            site: null,
            relation: null,
            action: 'POST /users/{userId}/agent-board/messages',
            consent: null,
          },
        ],
        metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null },
      },
    },
  },
};
