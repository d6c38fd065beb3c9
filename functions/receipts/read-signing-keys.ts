import { dynamo } from '../../lib/runtime/clients.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { readKeys } from './key-store.ts';
import { readSigningKeys } from './routes.ts';

export const handler = serve(readSigningKeys)(async ({ tables }) => {
  return { keys: await readKeys(dynamo(), tables.SigningKeys) };
});
