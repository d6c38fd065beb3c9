import { s3 } from '../../../lib/runtime/s3.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { ExportNotFound } from '../errors.ts';
import { readExport } from '../routes.ts';
import { isExpired, linkSecondsAt, shown } from '../rules/export.ts';
import { signDownload } from '../stores/export-objects.ts';
import { readExportRow } from '../stores/export-rows.ts';

export const handler = serve(readExport)(async ({ params, caller, tables, buckets, fail }) => {
  const named = { userId: caller.userId, exportId: params.exportId };
  // Real time, as DynamoDB's and S3's: it is about what is there.
  const now = new Date();
  const row = await readExportRow(tables.PersonalExports, named, now);
  if (!row || isExpired(row, now)) return fail(ExportNotFound);
  if (row.status !== 'done') return { ...shown(row, now), downloadUrl: null, downloadUrlExpiresAt: null };
  const seconds = linkSecondsAt(row, now);
  const name = `personal-data-${row.requestedAt.slice(0, 10)}.zip`;
  const downloadUrl = await signDownload({ s3: s3(), bucket: buckets.PersonalExportFiles }, named, { name, seconds });
  const downloadUrlExpiresAt = new Date(now.getTime() + seconds * 1000).toISOString();
  return { ...shown(row, now), downloadUrl, downloadUrlExpiresAt };
});
