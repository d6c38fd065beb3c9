import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { listMessages } from '../routes.ts';
import { readPage } from '../stores/messages.ts';
import { readUnreadPage } from '../stores/unread.ts';

export const handler = serveWithPrefetch(listMessages)({
  prefetch: async ({ query, page, caller, tables }) => {
    const { limit } = page;
    const after = page.after?.messageId ?? null;
    if (query.unread) {
      // A cursor of the whole list does not have the number of messages that are left.
      const left = page.after?.left === undefined ? null : Number(page.after.left);
      const found = await readUnreadPage(tables.AgentBoardMessages, caller, { limit, after, left });
      return { ...found, next: found.next && { ...found.next, left: String(found.next.left) } };
    }
    const found = await readPage(tables.AgentBoardMessages, caller, { limit, after });
    return { ...found, next: found.next === null ? null : { messageId: found.next } };
  },
  respond: async (_asked, { messages: items, next, unreadCount }) => ({ items, next, metadata: { unreadCount } }),
});
