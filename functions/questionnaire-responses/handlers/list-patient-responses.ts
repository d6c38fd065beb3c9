import { serve } from '../../../lib/runtime/serve.ts';
import { listPatientResponses } from '../routes.ts';
import { readCompleted } from '../stores/response-rows.ts';

export const handler = serve(listPatientResponses)(async ({ params, query, page, tables }) => {
  const table = tables.QuestionnaireResponses;
  const { found, next } = await readCompleted(table, params.userId, query, page);
  return { items: found, next };
});
