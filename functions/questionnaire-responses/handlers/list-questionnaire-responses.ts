import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listQuestionnaireResponses } from '../routes.ts';
import { readCompleted, readDrafts } from '../stores/response-rows.ts';

export const handler = servePages(
  listQuestionnaireResponses,
  lambdaWithClock,
)(async ({ caller, query, page, tables }) => {
  const after = page.after ? String(page.after.part) : null;
  const table = tables.QuestionnaireResponses;
  const { status = 'completed', ...asked } = query;
  const read = status === 'draft' ? readDrafts : readCompleted;
  const { found, next } = await read(table, caller.userId, asked, { limit: page.limit, after });
  return { items: found, next: next === null ? null : { part: next } };
});
