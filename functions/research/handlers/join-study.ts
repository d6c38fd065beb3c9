import { ConsentRequired } from '../../../lib/contract/common-errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { StudyCodeNotFound, StudyInvitationUsed, StudyNotRecruiting, TooManyStudies } from '../errors.ts';
import { joinStudy } from '../routes.ts';
import { readCode } from '../rules/code.ts';
import { ownStudy } from '../rules/shown.ts';
import { codeIdsOf } from '../stores/codes.ts';
import { joinStudy as join } from '../workflows/enrol.ts';

export const handler = serve(joinStudy)(async ({ body, caller, account, now, tables, secrets, fail }) => {
  const code = readCode(body.code);
  if (code === null) return fail(StudyCodeNotFound);
  const { ends } = await account();
  const wish = { userId: caller.userId, codeIds: codeIdsOf(secrets.StudyCodeKey, code), ends, now };
  const joined = await join(tables, wish);
  switch (joined.kind) {
    case 'done':
      return ownStudy(joined.study, joined.enrolment, joined.consent, ends);
    case 'unknown':
      return fail(StudyCodeNotFound);
    case 'consent-missing':
      return fail(ConsentRequired, { agreementId: joined.agreementId });
    case 'not-recruiting':
      return fail(StudyNotRecruiting);
    case 'used':
      return fail(StudyInvitationUsed);
    case 'too-many':
      return fail(TooManyStudies);
  }
});
