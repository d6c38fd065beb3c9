import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listAccessCodeBatches } from '../routes.ts';
import { summaryOf } from '../rules/batch.ts';
import { readBatches, readGroups } from '../stores/code-rows.ts';

export const handler = servePages(
  listAccessCodeBatches,
  lambdaWithClock,
)(async ({ page, now, tables }) => {
  const after = page.after ? String(page.after.batchId) : null;
  const { batches, hasMore } = await readBatches(tables.AccessCodeBatches, { limit: page.limit, after });
  const items = await mapWithConcurrency(batches, 10, async (batch) =>
    summaryOf(batch, await readGroups(tables.AccessCodeBatches, batch.batchId), now),
  );
  const last = batches.at(-1);
  return { items, next: hasMore && last ? { batchId: last.batchId } : null };
});
