import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { SessionNotFound } from '../errors.ts';
import { endSession } from '../routes.ts';
import { endSession as end } from '../stores/session-ends.ts';

export const handler = serve(endSession)(async ({ params, caller, tables, secrets, userPool, fail }) => {
  const deps = {
    tables,
    secret: secrets.SignInKey,
    cognito: cognito(),
    userPool,
  };
  if (!(await end(deps, caller.userId, params.sessionId))) return fail(SessionNotFound);
  return { success: true as const };
});
