import { cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { mailTo } from '../../mail/exports.ts';
import { readProfile } from '../../users/exports.ts';
import { requestEmailChange } from '../routes.ts';
import { asOwner } from '../workflows/as-owner.ts';

export const handler = serve(requestEmailChange)(async (input) => {
  const { body, caller, application, tables, queues } = input;
  const deps = { ...input, cognito: cognitoOnce() };
  await asOwner(deps, { passwords: [body.password], presentCode: body.presentCode }, async () => {
    const profile = await readProfile(tables.Users, caller.userId);
    await mailTo(queues.MailQueue, {
      kind: 'email-change',
      application,
      to: { email: body.email },
      locale: profile?.locale ?? null,
      data: {},
      // The code works only for this account.
      keep: { userId: caller.userId },
    });
  });
  return { status: 'verification-sent' as const };
});
