import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { readSleepSummary } from '../routes.ts';
import { readSummary } from '../workflows/sleep-summary.ts';

export const handler = serve(readSleepSummary)(async ({ caller, query, tables }) =>
  readSummary(dynamo(), tables, { userId: caller.userId, from: query.from, to: query.to, by: query.by ?? 'week' }),
);

await initialize(readSleepSummary);
