import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const message = {
  messageId: '01a2021a-e6b1-777e-909d-1e50ae284575',
  title: 'Your sleep report',
  body: 'The report of last week is ready.',
  createdAt: '2026-11-22T07:14:07.153Z',
  readAt: null,
};
const readAt = '2026-11-22T07:14:07.957Z';

export const reference: ReferenceTo<typeof routes> = {
  about: 'Messages of the care team to a patient, and which of them are read.',
  examples: {
    postMessage: {
      params: { userId: '95f807be-bb56-4119-899f-ee487ecfa121' },
      body: { title: message.title, body: message.body },
      answer: message,
    },
    listMessages: {
      query: { limit: 20 },
      answer: {
        items: [message],
        metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null, unreadCount: 1 },
      },
    },
    readMessage: {
      params: { messageId: message.messageId },
      answer: message,
    },
    markMessageRead: {
      params: { messageId: message.messageId },
      answer: {
        success: true,
        messageId: message.messageId,
        readAt,
        unreadCount: 0,
      },
    },
    markMessagesRead: {
      body: { upTo: message.messageId },
      answer: {
        success: true,
        upTo: message.messageId,
        readAt,
        unreadCount: 0,
      },
    },
    deleteMessage: {
      params: { messageId: message.messageId },
      answer: { success: true, messageId: message.messageId, unreadCount: 0 },
    },
  },
};
