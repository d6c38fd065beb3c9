import { Forbidden, ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { SiteClosed, SiteNotFound } from '../../crm-sites/errors.ts';
import { readSite } from '../../crm-sites/exports.ts';
import { readStaffName } from '../../crm-users/exports.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { StaffExists } from '../errors.ts';
import { inviteStaff } from '../routes.ts';
import { byOf, dependenciesOf, memberOf, roleNamed } from '../workflows/answer-change.ts';
import { mailInvitation } from '../workflows/mail-invitation.ts';
import { inviteStaff as invite } from '../workflows/make-invitation.ts';
import { tellGiver } from '../workflows/tell-giver.ts';

export const handler = serve(inviteStaff)(async (input) => {
  const { body, caller, environment, now, tables, queues, secrets, fail } = input;
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
  const [invited, inviter, site] = await Promise.all([
    invite(dependenciesOf(input), { email, name, roles, siteId, locale, now }, { ...by, once }),
    readStaffName(tables.Staff, caller.userId),
    siteId === null ? null : readSite(tables.Sites, siteId),
  ]);
  if (invited === 'forbidden') throw new Failure(Forbidden);
  if (invited === 'no-site') return fail(SiteNotFound);
  if (invited === 'site-closed') return fail(SiteClosed);
  if ('exists' in invited) return fail(StaffExists);
  const deps = { ...dependenciesOf(input), queueUrl: queues.MailQueue, secret: secrets.MailKey };
  const inviting = { inviter, clinic: site?.name ?? null };
  const invitationCode = await mailInvitation(deps, invited, inviting);
  await tellGiver(input, invited, roles, invited.createdAt);
  return { ...memberOf(invited, name), invitationCode };
});
