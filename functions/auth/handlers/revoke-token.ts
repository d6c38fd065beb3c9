import { cognito } from '../../../lib/runtime/cognito.ts';
import { serveTimeless } from '../../../lib/runtime/serve-timeless.ts';
import { revokeToken } from '../routes.ts';
import { revoke } from '../stores/user-pool.ts';

export const handler = serveTimeless(revokeToken)(async ({ body, userPool }) => {
  await revoke(cognito(), userPool, body.refreshToken);
  return { success: true as const };
});
