import { dynamo } from '../../lib/runtime/clients.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { clockAt } from './clock.ts';
import { removeOffset } from './clock-store.ts';
import { resetClock } from './routes.ts';

export const handler = serve(resetClock)(async ({ tables }) => {
  await removeOffset(dynamo(), tables.Clock);
  return clockAt(null, Date.now());
});
