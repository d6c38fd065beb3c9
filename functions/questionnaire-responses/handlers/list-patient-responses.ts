import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { listPatientResponses } from '../routes.ts';
import { readCompleted } from '../stores/response-rows.ts';

export const handler = servePages(
  listPatientResponses,
  lambdaWithAccess,
)(async ({ params, query, page, tables }) => {
  const after = page.after ? String(page.after.part) : null;
  const table = tables.QuestionnaireResponses;
  const { found, next } = await readCompleted(table, params.userId, query, { limit: page.limit, after });
  return { items: found, next: next === null ? null : { part: next } };
});
