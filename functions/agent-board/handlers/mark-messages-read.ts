import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { MessageNotFound } from '../errors.ts';
import { markMessagesRead } from '../routes.ts';
import { readShown } from '../stores/messages.ts';
import { markReadUpTo } from '../workflows/record-change.ts';

export const handler = serveInSteps(markMessagesRead)({
  read: ({ body: { upTo: messageId }, caller: { userId }, tables }) =>
    readShown(tables.AgentBoardMessages, { userId, messageId }),
  answer: async ({ body: { upTo }, caller: { userId }, now, tables, fail }, shown) => {
    const named = { userId, messageId: upTo };
    const read = await markReadUpTo(tables.AgentBoardMessages, { ...named, shown, now });
    if (!read) return fail(MessageNotFound);
    return { success: true, upTo, ...read };
  },
});
