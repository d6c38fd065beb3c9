import { serve } from '../../../lib/runtime/serve.ts';
import { readSigningKeys } from '../routes.ts';
import { keptKeys } from '../stores/kept-keys.ts';

export const handler = serve(readSigningKeys)(async (input) => {
  const keys = await keptKeys(input).all();
  return {
    keys: keys.map(({ revokedAt, ...jwk }) => ({
      ...jwk,
      // The form that OpenID Federation uses for historical keys: https://openid.net/specs/openid-federation-1_0.html
      ...(revokedAt !== null && { revoked: { revoked_at: Math.floor(Date.parse(revokedAt) / 1000) } }),
    })),
  };
});
