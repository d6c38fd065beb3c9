import { cognito } from '../../../lib/runtime/cognito.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { revokeToken } from '../routes.ts';
import { revoke } from '../stores/user-pool.ts';

export const handler = serveWithoutTables(revokeToken)(async ({ body, userPool }) => {
  await revoke(cognito(), userPool, body.refreshToken);
  return { success: true as const };
});
