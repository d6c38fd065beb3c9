import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { MessageNotFound } from '../errors.ts';
import { markMessageRead } from '../routes.ts';
import { readShown } from '../stores/messages.ts';
import { markRead } from '../workflows/record-change.ts';

export const handler = serveWithPrefetch(markMessageRead)({
  prefetch: ({ params: { messageId }, caller: { userId }, tables }) =>
    readShown(tables.AgentBoardMessages, { userId, messageId }),
  respond: async ({ params: { messageId }, caller: { userId }, now, tables, fail }, shown) => {
    const read = await markRead(tables.AgentBoardMessages, { userId, messageId, shown, now });
    if (!read) return fail(MessageNotFound);
    return { success: true, messageId, ...read };
  },
});
