import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listQuestionnaires } from '../routes.ts';
import { readHeads } from '../stores/version-rows.ts';

export const handler = servePages(
  listQuestionnaires,
  lambdaWithClock,
)(async ({ page, tables }) => {
  const after = page.after ? String(page.after.questionnaireId) : null;
  const { rows, next } = await readHeads(tables.Questionnaires, { limit: page.limit, after });
  return { items: rows, next: next === null ? null : { questionnaireId: next } };
});
