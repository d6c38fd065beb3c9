import { serve } from '../../../lib/runtime/serve.ts';
import { mailTo } from '../../mail/exports.ts';
import { userVerificationResent } from '../audit-actions.ts';
import { resendVerification } from '../routes.ts';
import { appUser, audit } from '../workflows/administer-user.ts';

export const handler = serve(resendVerification)(async (input) => {
  const { params, tables, queues } = input;
  const { userId, locale } = await appUser(tables.Users, params.userId);
  await audit(tables.AuditEvents, input, { userId, action: userVerificationResent });
  await mailTo(queues.MailQueue, { kind: 'sign-up', application: 'sleepcare', to: { userId }, locale, data: {} });
  return { success: true, userId };
});
