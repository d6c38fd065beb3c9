import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { StudyNotFound } from '../../research/errors.ts';
import { readStudy } from '../../research/exports.ts';
import { listResearchNotices } from '../routes.ts';
import { listNotices } from '../stores/notices.ts';

export const handler = servePages(
  listResearchNotices,
  lambdaWithClock,
)(async ({ params, query, page, tables, fail }) => {
  const { studyId } = params;
  const after = page.after ? String(page.after.noticeKey) : null;
  const named = { studyId, exportId: query.exportId ?? null };
  const [study, found] = await Promise.all([
    readStudy(tables.Studies, studyId),
    listNotices(tables.ResearchExportNotices, named, { limit: page.limit, after }),
  ]);
  if (!study) return fail(StudyNotFound);
  const items = found.notices.map(({ exportId, pseudonym, reason, action, at }) => {
    return { exportId, pseudonym, reason, action, on: at.slice(0, 10) };
  });
  return { items, next: found.next === null ? null : { noticeKey: found.next } };
});
