import { serve } from '../../../lib/runtime/serve.ts';
import { StudyNotFound } from '../../research/errors.ts';
import { readStudy } from '../../research/exports.ts';
import { isTellable } from '../../research/rules.ts';
import { listResearchNotices } from '../routes.ts';
import { listNotices } from '../stores/notices.ts';

export const handler = serve(listResearchNotices)(async ({ params, query, page, tables, fail }) => {
  const { studyId } = params;
  const named = { studyId, exportId: query.exportId ?? null };
  const [study, found] = await Promise.all([
    readStudy(tables.Studies, studyId),
    listNotices(tables.ResearchExportNotices, named, page),
  ]);
  if (!study) return fail(StudyNotFound);
  const items = found.notices.filter(isTellable).map(({ exportId, pseudonym, reason, action, at }) => {
    return { exportId, pseudonym, reason, action, on: at.slice(0, 10) };
  });
  return { items, next: found.next };
});
