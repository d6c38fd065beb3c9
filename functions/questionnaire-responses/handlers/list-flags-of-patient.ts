import { fitting } from '../../../lib/runtime/fitting.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { listFlagsOfPatient } from '../routes.ts';
import { QuestionnaireFlag } from '../schemas.ts';
import { readFlagsOfUser } from '../stores/flag-rows.ts';

export const handler = serve(listFlagsOfPatient)(async ({ params, page, tables }) => {
  const { found, next } = await readFlagsOfUser(tables.QuestionnaireFlags, params.userId, page);
  return { items: fitting(QuestionnaireFlag, found), next };
});
