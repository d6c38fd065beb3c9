import { serve } from '../../../lib/runtime/serve.ts';
import { readSleepSummaryOfPatient } from '../routes.ts';
import { readNights, summaryWithin } from '../workflows/sleep-summary.ts';

export const handler = serve(readSleepSummaryOfPatient)(async ({ params, query, tables }) => {
  const { from, to, by = 'week' } = query;
  return summaryWithin(await readNights(tables, { userId: params.userId, from, to }), { from, to, by });
});
