import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { MessageNotFound } from '../errors.ts';
import { markMessagesRead } from '../routes.ts';
import { readShown } from '../stores/messages.ts';
import { markReadUpTo } from '../workflows/record-change.ts';

export const handler = serveWithPrefetch(markMessagesRead)({
  prefetch: ({ body: { upTo: messageId }, caller: { userId }, tables }) =>
    readShown(tables.AgentBoardMessages, { userId, messageId }),
  respond: async ({ body: { upTo }, caller: { userId }, now, tables, fail }, shown) => {
    const named = { userId, messageId: upTo };
    const read = await markReadUpTo(tables.AgentBoardMessages, { ...named, shown, now });
    if (!read) return fail(MessageNotFound);
    return { success: true, upTo, ...read };
  },
});
