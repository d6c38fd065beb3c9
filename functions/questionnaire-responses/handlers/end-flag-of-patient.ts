import { serve } from '../../../lib/runtime/serve.ts';
import { disclosing } from '../../access/check.ts';
import { QuestionnaireFlagEnded, QuestionnaireFlagNotFound } from '../errors.ts';
import { endFlagOfPatient } from '../routes.ts';
import { endFlag } from '../stores/flag-decisions.ts';

export const handler = serve(endFlagOfPatient)(
  async ({ params, body, caller, application, now, requestId, tables, fail }) => {
    const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
    const { flag, isRefused } = await endFlag(tables, { ...params, ...body, now, occasion });
    if (!flag) return fail(QuestionnaireFlagNotFound);
    return isRefused ? disclosing(fail(QuestionnaireFlagEnded, { outcome: flag.outcome ?? '' }), flag.userId) : flag;
  },
);
