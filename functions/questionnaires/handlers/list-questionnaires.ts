import { serve } from '../../../lib/runtime/serve.ts';
import { listQuestionnaires } from '../routes.ts';
import { readHeads } from '../stores/version-rows.ts';

export const handler = serve(listQuestionnaires)(async ({ page, tables }) => {
  const { rows, next } = await readHeads(tables.Questionnaires, page);
  return { items: rows, next };
});
