import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { readSigningKeys } from '../routes.ts';
import { readKeys } from '../stores/public-keys.ts';

export const handler = serveInSteps(readSigningKeys)({
  read: ({ tables }) => readKeys(dynamo(), tables.PublicKeys),
  answer: async (_asked, keys) => ({ keys }),
});

await initialize(readSigningKeys);
