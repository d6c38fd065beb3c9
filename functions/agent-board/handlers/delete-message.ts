import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { MessageNotFound } from '../errors.ts';
import { deleteMessage } from '../routes.ts';
import { removeMessage } from '../workflows/record-change.ts';

export const handler = serve(deleteMessage)(async ({ params, caller, tables, fail }) => {
  const { messageId } = params;
  const removed = await removeMessage(dynamo(), tables.AgentBoardMessages, { userId: caller.userId, messageId });
  if (!removed) return fail(MessageNotFound);
  return { success: true, messageId, ...removed };
});

await initialize(deleteMessage);
