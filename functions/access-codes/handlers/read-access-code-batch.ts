import { serve } from '../../../lib/runtime/serve.ts';
import { AccessCodeBatchNotFound } from '../errors.ts';
import { readAccessCodeBatch } from '../routes.ts';
import { summaryOf } from '../rules/batch.ts';
import { readBatch, readGroups } from '../stores/code-rows.ts';

export const handler = serve(readAccessCodeBatch)(async ({ params, now, tables, fail }) => {
  const batch = await readBatch(tables.AccessCodeBatches, params.batchId);
  if (!batch) return fail(AccessCodeBatchNotFound);
  return summaryOf(batch, await readGroups(tables.AccessCodeBatches, params.batchId), now);
});
