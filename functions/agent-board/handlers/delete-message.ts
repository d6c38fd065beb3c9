import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { deleteMessage } from '../routes.ts';
import { removeMessage } from '../workflows/record-change.ts';

export const handler = serve(deleteMessage)(async ({ params, caller, tables }) => {
  const { messageId } = params;
  const removed = await removeMessage(dynamo(), tables.AgentBoardMessages, { userId: caller.userId, messageId });
  return { success: true, messageId, ...removed };
});

await initialize(deleteMessage);
