import { s3 } from '../../../lib/runtime/s3.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { ResearchExportNotFound } from '../errors.ts';
import { readResearchExport } from '../routes.ts';
import { filesUntil, linkSeconds } from '../rules/export.ts';
import { manifestNames } from '../rules/manifest.ts';
import { hasFiles, shown, shownCells, shownFile } from '../rules/shown.ts';
import { auditAddresses } from '../stores/audit-addresses.ts';
import { signDownload } from '../stores/export-files.ts';
import { readExportRow } from '../stores/export-rows.ts';
import { hasToBeDeleted } from '../stores/notices.ts';

export const handler = serve(readResearchExport)(async (input) => {
  const { params, caller, application, requestId, tables, buckets, fail } = input;
  const [row, isWithdrawn] = await Promise.all([
    readExportRow(tables.ResearchExports, params),
    hasToBeDeleted(tables.ResearchExportNotices, params),
  ]);
  if (!row) return fail(ResearchExportNotFound);
  // The real time and not the clock of the business rules: S3 deletes the files by the real time.
  const now = new Date();
  const isThere = hasFiles(row, now) && !isWithdrawn;
  const downloadUrlsExpireAt = isThere ? new Date(now.getTime() + linkSeconds * 1000).toISOString() : null;
  if (downloadUrlsExpireAt !== null) {
    const occasion = { application, actor: caller.userId, requestId, realNow: now };
    await auditAddresses(tables.AuditEvents, { ...params, ...occasion, downloadUrlsExpireAt });
  }
  const deps = { s3: s3(), bucket: buckets.ResearchExportFiles };
  const link = (name: string) => (isThere ? signDownload(deps, row, { name, seconds: linkSeconds }) : null);
  const until = filesUntil(row);
  return {
    ...shown(row, now),
    smallCells: shownCells(row.smallCells),
    files: await Promise.all(
      (row.status === 'done' ? row.files : []).map(async (file) => ({
        ...shownFile(file, isThere),
        downloadUrl: await link(file.name),
      })),
    ),
    manifests: await Promise.all(
      (row.status === 'done' ? manifestNames : []).map(async (name) => ({ name, downloadUrl: await link(name) })),
    ),
    isWithdrawn,
    filesUntil: row.status === 'done' ? (until?.toISOString() ?? null) : null,
    downloadUrlsExpireAt,
  };
});
