import { dynamo } from '../../lib/runtime/clients.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { clockAt } from './clock.ts';
import { readOffset } from './clock-store.ts';
import { readClock } from './routes.ts';

export const handler = serve(readClock)(async ({ tables }) =>
  clockAt(await readOffset(dynamo(), tables.Clock), Date.now()),
);
