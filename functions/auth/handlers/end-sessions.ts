import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { endSessions } from '../routes.ts';
import { endAllSessions } from '../stores/sessions.ts';
import { signOutEverywhere } from '../stores/user-pool.ts';

export const handler = serve(endSessions)(async ({ caller, tables, userPool }) => {
  // The rows first: of who signs in after the pool has ended all, no row is marked, so that no token renews that no list shows.
  await endAllSessions(dynamo(), tables.Sessions, caller.userId, new Date());
  await signOutEverywhere(cognito(), userPool, caller.userId);
  return { success: true as const };
});
