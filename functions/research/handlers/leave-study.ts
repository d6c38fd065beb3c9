import { serve } from '../../../lib/runtime/serve.ts';
import { StudyNotFound } from '../errors.ts';
import { leaveStudy } from '../routes.ts';
import { leaveStudy as leave } from '../workflows/leave.ts';

export const handler = serve(leaveStudy)(
  async ({ params: { studyId }, query, caller, account, now, requestId, tables, fail }) => {
    const { ends } = await account();
    const keepExported = query.keepExported ?? null;
    const left = await leave(tables, { userId: caller.userId, studyId, keepExported, ends, now, requestId });
    if (!left) return fail(StudyNotFound);
    const { agreementId, leftAt } = left;
    return { success: true, studyId, agreementId, leftAt, keepExported: left.keepExported };
  },
);
