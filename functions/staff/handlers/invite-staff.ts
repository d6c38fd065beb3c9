import { Forbidden, ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { SiteClosed, SiteNotFound } from '../../crm-sites/errors.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { StaffExists } from '../errors.ts';
import { inviteStaff } from '../routes.ts';
import { byOf, memberOf, placeOf, roleNamed } from '../workflows/answer-change.ts';
import { mailInvitation } from '../workflows/mail-invitation.ts';
import { inviteStaff as invite } from '../workflows/make-invitation.ts';

export const handler = serve(
  inviteStaff,
  lambdaWithAccess,
)(async (input) => {
  const { body, environment, now, queues, fail } = input;
  const { email, name, roles, siteId = null, locale = null } = body;
  const strange = roles.findIndex((role) => !roleNamed(role, environment));
  if (strange >= 0) {
    const issue = {
      in: 'body',
      path: `roles[${strange}]`,
      code: 'invalid_value',
      message: 'is no role of this application',
    } as const;
    return fail(ValidationFailed, { issues: [issue] });
  }
  const by = byOf(input);
  const once = onceOf(inviteStaff, input, by.realNow);
  const invited = await invite(placeOf(input), { email, name, roles, siteId, now }, { ...by, once });
  if (invited === 'forbidden') throw new Failure(Forbidden);
  if (invited === 'no-site') return fail(SiteNotFound);
  if (invited === 'site-closed') return fail(SiteClosed);
  if ('exists' in invited) return fail(StaffExists);
  // A repeated request sends a mail too: after a crash, the first mail may never have been sent. Only the latest code works.
  if (invited.status === 'invited') await mailInvitation(queues.MailQueue, invited, locale);
  return memberOf(invited, name);
});
