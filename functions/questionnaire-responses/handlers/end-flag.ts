import { serve } from '../../../lib/runtime/serve.ts';
import { disclosing } from '../../access/check.ts';
import { QuestionnaireFlagEnded, QuestionnaireFlagNotFound } from '../errors.ts';
import { endFlag } from '../routes.ts';
import { endFlag as end } from '../stores/flag-decisions.ts';

export const handler = serve(endFlag)(async ({ params, body, caller, application, now, requestId, tables, fail }) => {
  const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
  const { flag, isRefused } = await end(tables, { ...params, ...body, now, occasion });
  if (!flag) return fail(QuestionnaireFlagNotFound);
  return isRefused ? disclosing(fail(QuestionnaireFlagEnded, { outcome: flag.outcome ?? '' }), flag.userId) : flag;
});
