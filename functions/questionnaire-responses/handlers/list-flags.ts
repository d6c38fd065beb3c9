import { fitting } from '../../../lib/runtime/fitting.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { listFlags } from '../routes.ts';
import { QuestionnaireFlag } from '../schemas.ts';
import { readFlags } from '../stores/flag-rows.ts';

export const handler = serve(listFlags)(async ({ query, page, tables }) => {
  const { state = 'open' } = query;
  const { found, next } = await readFlags(tables.QuestionnaireFlags, state, page);
  return { items: fitting(QuestionnaireFlag, found), next };
});
