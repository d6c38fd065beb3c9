import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { MessageNotFound } from '../errors.ts';
import { readMessage } from '../routes.ts';
import { readShown } from '../stores/messages.ts';

export const handler = serve(readMessage)(async ({ params, caller, tables, fail }) => {
  const named = { userId: caller.userId, messageId: params.messageId };
  const found = await readShown(dynamo(), tables.AgentBoardMessages, named);
  return found ? found.message : fail(MessageNotFound);
});

await initialize(readMessage);
