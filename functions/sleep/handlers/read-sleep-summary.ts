import { serve } from '../../../lib/runtime/serve.ts';
import { readSleepSummary } from '../routes.ts';
import { readNights, summaryWithin } from '../workflows/sleep-summary.ts';

export const handler = serve(readSleepSummary)(async ({ caller, query, tables }) => {
  const { from, to, by = 'week' } = query;
  return summaryWithin(await readNights(tables, { userId: caller.userId, from, to }), { from, to, by });
});
