import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { UserNotFound } from '../../users/errors.ts';
import { postMessage } from '../routes.ts';
import { isRecipient } from '../stores/recipients.ts';
import { addMessage } from '../workflows/record-change.ts';

export const handler = serve(postMessage)(async ({ params, body, caller, now, tables, fail }) => {
  const { userId } = params;
  if (!(await isRecipient(dynamo(), tables, userId))) return fail(UserNotFound);
  return addMessage(dynamo(), tables.AgentBoardMessages, { userId, authorId: caller.userId, ...body, now });
});

await initialize(postMessage);
