import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { endSessions } from '../routes.ts';
import { endAllSessions } from '../stores/sessions.ts';
import { signOutEverywhere } from '../stores/user-pool.ts';

export const handler = serve(endSessions)(async ({ caller, tables, userPool }) => {
  // Cognito first, since it knows sessions that no row tells of; a token that is renewed meanwhile goes with them.
  await signOutEverywhere(cognito(), userPool, caller.userId);
  await endAllSessions(dynamo(), tables.Sessions, caller.userId, new Date());
  return { success: true as const };
});
