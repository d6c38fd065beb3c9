import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { revokeToken } from '../routes.ts';
import { signOut } from '../workflows/sign-out.ts';

export const handler = serve(revokeToken)(async ({ body, application, tables, secrets, userPool }) => {
  const deps = {
    tables,
    secret: secrets.SignInKey,
    cognito: cognito(),
    userPool,
  };
  await signOut(deps, { secret: secrets.SignInKey, application }, body.refreshToken);
  return { success: true as const };
});
