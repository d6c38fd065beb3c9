import { serve } from '../../../lib/runtime/serve.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { StudyAgreementUnfit } from '../errors.ts';
import { createStudy } from '../routes.ts';
import { studyForStaff } from '../rules/shown.ts';
import { createStudy as create } from '../workflows/make-study.ts';

export const handler = serve(createStudy)(async (input) => {
  const { body, caller, application, now, requestId, tables, fail } = input;
  const realNow = new Date();
  const once = onceOf(createStudy, input, realNow);
  const occasion = { application, actor: caller.userId, requestId, realNow, once };
  const study = await create(tables, { ...body, now }, occasion);
  return study ? studyForStaff(study) : fail(StudyAgreementUnfit);
});
