import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { listMessages } from '../routes.ts';
import { readPage } from '../stores/messages.ts';
import { readUnreadPage } from '../stores/unread.ts';

export const handler = servePagesInSteps(
  listMessages,
  lambdaWithClock,
)({
  read: async ({ query, page, caller, tables }) => {
    const { limit } = page;
    const after = page.after ? String(page.after.messageId) : null;
    if (query.unread) {
      // A cursor of the whole list does not have the number of messages that are left.
      const left = page.after?.left === undefined ? null : Number(page.after.left);
      return readUnreadPage(tables.AgentBoardMessages, caller, { limit, after, left });
    }
    const found = await readPage(tables.AgentBoardMessages, caller, { limit, after });
    return { ...found, next: found.next === null ? null : { messageId: found.next } };
  },
  answer: async (_asked, { messages: items, next, unreadCount }) => ({ items, next, metadata: { unreadCount } }),
});
