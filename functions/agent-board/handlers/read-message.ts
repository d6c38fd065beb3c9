import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { MessageNotFound } from '../errors.ts';
import { readMessage } from '../routes.ts';
import { readShown } from '../stores/messages.ts';

export const handler = serveWithPrefetch(readMessage)({
  prefetch: ({ params: { messageId }, caller: { userId }, tables }) =>
    readShown(tables.AgentBoardMessages, { userId, messageId }),
  respond: async ({ fail }, found) => (found ? found.message : fail(MessageNotFound)),
});
