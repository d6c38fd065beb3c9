import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listQuestionnaireBundles } from '../routes.ts';
import { readBundlePage } from '../stores/bundle-rows.ts';

export const handler = servePages(
  listQuestionnaireBundles,
  lambdaWithClock,
)(async ({ page, tables }) => {
  const after = page.after ? String(page.after.bundleId) : null;
  const { found, next } = await readBundlePage(tables.Questionnaires, { limit: page.limit, after });
  return { items: found, next: next === null ? null : { bundleId: next } };
});
