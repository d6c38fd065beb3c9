import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { endSessions } from '../routes.ts';
import { endInPoolAndList } from '../stores/sessions.ts';
import { signOutEverywhere } from '../stores/user-pool.ts';

export const handler = serve(endSessions)(async ({ caller: { userId }, tables, userPool }) => {
  await endInPoolAndList(tables, userId, () => signOutEverywhere(cognito(), userPool, userId));
  return { success: true as const };
});
