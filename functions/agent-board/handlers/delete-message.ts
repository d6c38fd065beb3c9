import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { deleteMessage } from '../routes.ts';
import { readBoth } from '../stores/messages.ts';
import { removeMessage } from '../workflows/record-change.ts';

export const handler = serveWithPrefetch(deleteMessage)({
  prefetch: ({ params: { messageId }, caller: { userId }, tables }) =>
    readBoth(tables.AgentBoardMessages, { userId, messageId }),
  respond: async ({ params: { messageId }, caller: { userId }, tables }, both) => {
    const removed = await removeMessage(tables.AgentBoardMessages, { userId, messageId, both });
    return { success: true, messageId, ...removed };
  },
});
