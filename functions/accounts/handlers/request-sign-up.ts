import { serve } from '../../../lib/runtime/serve.ts';
import { mailTo } from '../../mail/exports.ts';
import { requestSignUp } from '../routes.ts';

/** Nothing is looked up here: whether the address has an account, only the mail says. */
export const handler = serve(requestSignUp)(async ({ body, application, queues }) => {
  const { email, locale = null, timezone } = body;
  await mailTo(queues.MailQueue, {
    kind: 'sign-up',
    application,
    to: { email },
    locale,
    data: {},
    keep: { ...(locale && { locale }), ...(timezone && { timezone }) },
  });
  return { status: 'verification-sent' as const };
});
