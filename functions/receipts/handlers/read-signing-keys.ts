import { dynamo } from '../../../lib/runtime/clients.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { readSigningKeys } from '../routes.ts';
import { readKeys } from '../stores/signing-keys.ts';

export const handler = serve(readSigningKeys)(async ({ tables }) => {
  return { keys: await readKeys(dynamo(), tables.SigningKeys) };
});
