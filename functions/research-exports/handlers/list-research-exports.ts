import { serve } from '../../../lib/runtime/serve.ts';
import { StudyNotFound } from '../../research/errors.ts';
import { readStudy } from '../../research/exports.ts';
import { listResearchExports } from '../routes.ts';
import { shown } from '../rules/shown.ts';
import { listExportRows } from '../stores/export-rows.ts';

export const handler = serve(listResearchExports)(async ({ params, page, tables, fail }) => {
  const { studyId } = params;
  const [study, found] = await Promise.all([
    readStudy(tables.Studies, studyId),
    listExportRows(tables.ResearchExports, studyId, { limit: page.limit, before: page.after }),
  ]);
  if (!study) return fail(StudyNotFound);
  const items = found.rows.map((row) => shown(row, new Date()));
  return { items, next: found.next };
});
