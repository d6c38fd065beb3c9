import { serve } from '../../../lib/runtime/serve.ts';
import { QuestionnaireFlagNotFound } from '../errors.ts';
import { acknowledgeFlag } from '../routes.ts';
import { acknowledge } from '../stores/flag-decisions.ts';

export const handler = serve(acknowledgeFlag)(async ({ params, caller, application, now, requestId, tables, fail }) => {
  const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
  const flag = await acknowledge(tables, { ...params, now, occasion });
  return flag ?? fail(QuestionnaireFlagNotFound);
});
