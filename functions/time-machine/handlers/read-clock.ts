import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { readClock } from '../routes.ts';
import { clockAt } from '../rules/clock.ts';
import { readOffset } from '../stores/clock-offset.ts';

export const handler = serve(readClock)(async ({ tables }) =>
  clockAt(await readOffset(dynamo(), tables.Clock), Date.now()),
);

await initialize(readClock);
