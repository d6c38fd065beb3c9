import { serve } from '../../../lib/runtime/serve.ts';
import { listQuestionnaireResponses } from '../routes.ts';
import { readCompleted, readDrafts } from '../stores/response-rows.ts';

export const handler = serve(listQuestionnaireResponses)(async ({ caller, query, page, tables }) => {
  const table = tables.QuestionnaireResponses;
  const { status = 'completed', ...asked } = query;
  const read = status === 'draft' ? readDrafts : readCompleted;
  const { found, next } = await read(table, caller.userId, asked, page);
  return { items: found, next };
});
