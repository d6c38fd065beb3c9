import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'Messages of the care team to a patient, and which of them are read.',
  examples: {
    postMessage: {
      params: { userId: '95f807be-bb56-4119-899f-ee487ecfa121' },
      body: { title: 'Your sleep report', body: 'The report of last week is ready.' },
      answer: {
        messageId: '01a2021a-e6b1-777e-909d-1e50ae284575',
        title: 'Your sleep report',
        body: 'The report of last week is ready.',
        createdAt: '2026-11-22T07:14:07.153Z',
        readAt: null,
      },
    },
    listMessages: {
      query: { limit: 20 },
      answer: {
        items: [
          {
            messageId: '01a2021a-e6b1-777e-909d-1e50ae284575',
            title: 'Your sleep report',
            body: 'The report of last week is ready.',
            createdAt: '2026-11-22T07:14:07.153Z',
            readAt: null,
          },
        ],
        metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null, unreadCount: 1 },
      },
    },
    readMessage: {
      params: { messageId: '01a2021a-e6b1-777e-909d-1e50ae284575' },
      answer: {
        messageId: '01a2021a-e6b1-777e-909d-1e50ae284575',
        title: 'Your sleep report',
        body: 'The report of last week is ready.',
        createdAt: '2026-11-22T07:14:07.153Z',
        readAt: null,
      },
    },
    markMessageRead: {
      params: { messageId: '01a2021a-e6b1-777e-909d-1e50ae284575' },
      answer: {
        success: true,
        messageId: '01a2021a-e6b1-777e-909d-1e50ae284575',
        readAt: '2026-11-22T07:14:07.957Z',
        unreadCount: 0,
      },
    },
    markMessagesRead: {
      body: { upTo: '01a2021a-e6b1-777e-909d-1e50ae284575' },
      answer: {
        success: true,
        upTo: '01a2021a-e6b1-777e-909d-1e50ae284575',
        readAt: '2026-11-22T07:14:07.957Z',
        unreadCount: 0,
      },
    },
    deleteMessage: {
      params: { messageId: '01a2021a-e6b1-777e-909d-1e50ae284575' },
      answer: { success: true, messageId: '01a2021a-e6b1-777e-909d-1e50ae284575', unreadCount: 0 },
    },
  },
};
