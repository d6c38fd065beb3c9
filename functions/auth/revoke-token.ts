import { cognito } from '../../lib/runtime/cognito.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { revokeToken } from './routes.ts';
import { revoke } from './user-pool-store.ts';

export const handler = serve(revokeToken)(async ({ body, userPool }) => {
  await revoke(cognito(), userPool, body.refreshToken);
  return { success: true as const };
});
