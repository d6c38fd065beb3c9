import { serve } from '../../../lib/runtime/serve.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { StudyGroupNotFound, StudyNotFound, StudyNotRecruiting } from '../errors.ts';
import { inviteToStudy } from '../routes.ts';
import { shownCode } from '../rules/code.ts';
import { invite } from '../workflows/make-codes.ts';

export const handler = serve(inviteToStudy)(async (input) => {
  const { params, body, caller, application, now, requestId, tables, secrets, fail } = input;
  const realNow = new Date();
  const once = onceOf(inviteToStudy, input, realNow);
  const occasion = { application, actor: caller.userId, requestId, realNow, once, now };
  const deps = { tables, secret: secrets.StudyCodeKey };
  const group = body.group ?? null;
  const made = await invite(deps, { ...params, count: body.count, group }, occasion);
  if ('invitations' in made) {
    const invitations = made.invitations.map(({ invitationId, code }) => ({ invitationId, code: shownCode(code) }));
    return { ...params, group, invitations };
  }
  switch (made.refused) {
    case 'no-study':
      return fail(StudyNotFound);
    case 'no-group':
      return fail(StudyGroupNotFound);
    case 'not-recruiting':
      return fail(StudyNotRecruiting);
  }
});
