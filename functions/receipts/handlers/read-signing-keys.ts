import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { readSigningKeys } from '../routes.ts';
import { readKeys } from '../stores/public-keys.ts';

export const handler = serve(readSigningKeys)(async ({ tables }) => {
  return { keys: await readKeys(dynamo(), tables.PublicKeys) };
});

await initialize(readSigningKeys);
