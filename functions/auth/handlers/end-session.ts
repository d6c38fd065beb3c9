import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { SessionNotFound } from '../errors.ts';
import { endSession as declared } from '../routes.ts';
import { endSession } from '../workflows/end-session.ts';

export const handler = serve(declared)(async ({ params, caller, tables, secrets, userPool, fail }) => {
  const place = {
    dynamo: dynamo(),
    table: tables.Sessions,
    secret: secrets.SignInKey,
    cognito: cognito(),
    userPool,
  };
  if (!(await endSession(place, caller.userId, params.sessionId))) return fail(SessionNotFound);
  return { success: true as const };
});

await initialize(declared);
