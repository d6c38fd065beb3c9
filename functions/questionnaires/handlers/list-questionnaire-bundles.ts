import { serve } from '../../../lib/runtime/serve.ts';
import { listQuestionnaireBundles } from '../routes.ts';
import { readBundlePage } from '../stores/bundle-rows.ts';

export const handler = serve(listQuestionnaireBundles)(async ({ page, tables }) => {
  const { found, next } = await readBundlePage(tables.Questionnaires, page);
  return { items: found, next };
});
