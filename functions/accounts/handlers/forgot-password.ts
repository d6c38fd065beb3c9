import { serve } from '../../../lib/runtime/serve.ts';
import { mailTo } from '../../mail/exports.ts';
import { forgotPassword } from '../routes.ts';

/** Nothing is looked up here: whether the address has an account, only the mail says. */
export const handler = serve(forgotPassword)(async ({ body, application, queues }) => {
  const { email, locale = null } = body;
  await mailTo(queues.MailQueue, { kind: 'password-reset', application, to: { email }, locale, data: {} });
  return { status: 'verification-sent' as const };
});
