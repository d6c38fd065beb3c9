import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { MessageNotFound } from '../errors.ts';
import { markMessageRead } from '../routes.ts';
import { markRead } from '../workflows/record-change.ts';

export const handler = serve(markMessageRead)(async ({ params, caller, now, tables, fail }) => {
  const { messageId } = params;
  const read = await markRead(dynamo(), tables.AgentBoardMessages, { userId: caller.userId, messageId, now });
  if (!read) return fail(MessageNotFound);
  return { success: true, messageId, ...read };
});

await initialize(markMessageRead);
