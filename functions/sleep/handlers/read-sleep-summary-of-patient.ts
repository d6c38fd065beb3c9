import { lambdaWithAccess } from '../../../lib/runtime/access.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { readSleepSummaryOfPatient } from '../routes.ts';
import { readSummary } from '../workflows/sleep-summary.ts';

export const handler = serve(
  readSleepSummaryOfPatient,
  lambdaWithAccess,
)(async ({ params, query, tables }) =>
  readSummary(dynamo(), tables, { userId: params.userId, from: query.from, to: query.to, by: query.by ?? 'week' }),
);

await initialize(readSleepSummaryOfPatient);
