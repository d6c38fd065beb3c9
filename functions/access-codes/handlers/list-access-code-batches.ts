import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { listAccessCodeBatches } from '../routes.ts';
import { summaryOf } from '../rules/batch.ts';
import { readBatches, readGroups } from '../stores/code-rows.ts';

export const handler = serve(listAccessCodeBatches)(async ({ page, now, tables }) => {
  const { batches, hasMore } = await readBatches(tables.AccessCodeBatches, page);
  const items = await mapWithConcurrency(batches, 10, async (batch) =>
    summaryOf(batch, await readGroups(tables.AccessCodeBatches, batch.batchId), now),
  );
  const last = batches.at(-1);
  return { items, next: hasMore && last ? last.batchId : null };
});
