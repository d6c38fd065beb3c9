import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listExports } from '../routes.ts';
import { isExpired, shown } from '../rules/export.ts';
import { listExportRows } from '../stores/export-rows.ts';

export const handler = servePages(
  listExports,
  lambdaWithClock,
)(async ({ page, caller, tables }) => {
  const before = page.after ? String(page.after.exportId) : null;
  const { limit } = page;
  const found = await listExportRows(tables.PersonalExports, caller.userId, { limit, before });
  // Real time, as DynamoDB's and S3's: it is about what is there.
  const now = new Date();
  const items = found.rows.filter((row) => !isExpired(row, now)).map((row) => shown(row, now));
  const last = found.rows.at(-1);
  return { items, next: found.hasMore && last ? { exportId: last.exportId } : null };
});
