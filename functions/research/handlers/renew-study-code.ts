import { serve } from '../../../lib/runtime/serve.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { StudyNotFound, StudyNotRecruiting } from '../errors.ts';
import { renewStudyCode } from '../routes.ts';
import { shownCode } from '../rules/code.ts';
import { renewCode } from '../workflows/make-codes.ts';

export const handler = serve(renewStudyCode)(async (input) => {
  const { params, caller, application, now, requestId, tables, secrets, fail } = input;
  const realNow = new Date();
  const once = onceOf(renewStudyCode, { ...input, body: null }, realNow);
  const occasion = { application, actor: caller.userId, requestId, realNow, once, now };
  const deps = { tables, secret: secrets.StudyCodeKey };
  const made = await renewCode(deps, params.studyId, occasion);
  if ('code' in made) return { ...params, code: shownCode(made.code) };
  return made.refused === 'no-study' ? fail(StudyNotFound) : fail(StudyNotRecruiting);
});
