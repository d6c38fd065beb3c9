import { serve } from '../../../lib/runtime/serve.ts';
import { listExports } from '../routes.ts';
import { isExpired, shown } from '../rules/export.ts';
import { listExportRows } from '../stores/export-rows.ts';

export const handler = serve(listExports)(async ({ page, caller, tables }) => {
  // Real time, as DynamoDB's and S3's: it is about what is there.
  const now = new Date();
  const asked = { limit: page.limit, before: page.after, now };
  const { rows, next } = await listExportRows(tables.PersonalExports, caller.userId, asked);
  return { items: rows.filter((row) => !isExpired(row, now)).map((row) => shown(row, now)), next };
});
