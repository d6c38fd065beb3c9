import { serve } from '../../../lib/runtime/serve.ts';
import { listExports } from '../routes.ts';
import { isExpired, shown } from '../rules/export.ts';
import { listExportRows } from '../stores/export-rows.ts';

export const handler = serve(listExports)(async ({ page, caller, tables }) => {
  const { limit } = page;
  const found = await listExportRows(tables.PersonalExports, caller.userId, { limit, before: page.after });
  // Real time, as DynamoDB's and S3's: it is about what is there.
  const now = new Date();
  const items = found.rows.filter((row) => !isExpired(row, now)).map((row) => shown(row, now));
  const last = found.rows.at(-1);
  return { items, next: found.hasMore && last ? last.exportId : null };
});
