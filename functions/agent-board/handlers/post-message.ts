import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
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
  const draft = { userId, authorId: caller.userId, ...body, now };
  try {
    // It is the recipient's account that has to be open when the message is there.
    return await whileOpen({ table: tables.Accounts, userId }, () =>
      addMessage(dynamo(), tables.AgentBoardMessages, draft),
    );
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return fail(UserNotFound);
    throw error;
  }
});

await initialize(postMessage);
