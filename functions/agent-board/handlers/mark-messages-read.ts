import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { MessageNotFound } from '../errors.ts';
import { markMessagesRead } from '../routes.ts';
import { markReadUpTo } from '../workflows/record-change.ts';

export const handler = serve(markMessagesRead)(async ({ body, caller, now, tables, fail }) => {
  const { upTo } = body;
  const read = await markReadUpTo(dynamo(), tables.AgentBoardMessages, { userId: caller.userId, messageId: upTo, now });
  if (!read) return fail(MessageNotFound);
  return { success: true, upTo, ...read };
});

await initialize(markMessagesRead);
