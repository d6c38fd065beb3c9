import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { readSigningKeys } from '../routes.ts';
import { ledgerKeysOf } from '../stores/ledger-keys.ts';
import { readKeys } from '../stores/public-keys.ts';

export const handler = serveInSteps(readSigningKeys)({
  read: async ({ tables, environment, signingKeys }) => {
    const ledgerKeys = await ledgerKeysOf(signingKeys)();
    return readKeys(dynamo(), tables.PublicKeys, { environment, ledgerKeys });
  },
  answer: async (_asked, keys) => ({
    keys: keys.map(({ revokedAt, ...jwk }) => ({
      ...jwk,
      // As OpenID Federation has it of historical keys: https://openid.net/specs/openid-federation-1_0.html
      ...(revokedAt !== null && { revoked: { revoked_at: Math.floor(Date.parse(revokedAt) / 1000) } }),
    })),
  }),
});

await initialize(readSigningKeys);
