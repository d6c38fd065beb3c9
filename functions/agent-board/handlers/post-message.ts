import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { UserNotFound } from '../../users/errors.ts';
import { isInPool } from '../../users/exports.ts';
import { postMessage } from '../routes.ts';
import { isRecipient } from '../stores/recipients.ts';
import { addMessage } from '../workflows/record-change.ts';

export const handler = serve(postMessage)(async ({ params, body, caller, now, tables, userPool, fail }) => {
  const { userId } = params;
  const isKnown = (id: string) => isInPool(cognito(), userPool.id, id);
  if (!(await isRecipient(dynamo(), tables, userId, isKnown))) return fail(UserNotFound);
  return addMessage(dynamo(), tables.AgentBoardMessages, { userId, authorId: caller.userId, ...body, now });
});

await initialize(postMessage);
