import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { MessageNotFound } from '../errors.ts';
import { readMessage } from '../routes.ts';
import { readShown } from '../stores/messages.ts';

export const handler = serveInSteps(readMessage)({
  read: ({ params: { messageId }, caller: { userId }, tables }) =>
    readShown(tables.AgentBoardMessages, { userId, messageId }),
  answer: async ({ fail }, found) => (found ? found.message : fail(MessageNotFound)),
});
