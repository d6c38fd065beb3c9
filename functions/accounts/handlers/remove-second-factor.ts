import { cognito, cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { mailTo } from '../../mail/exports.ts';
import { removeSecondFactor } from '../routes.ts';
import { prefer } from '../stores/user-pool.ts';
import { asOwner } from '../workflows/as-owner.ts';

export const handler = serve(removeSecondFactor)(async (input) => {
  const { body, caller, application, queues } = input;
  const deps = { ...input, cognito: cognitoOnce() };
  await asOwner(deps, { passwords: [body.password], presentCode: body.presentCode }, async (token) => {
    const to = { userId: caller.userId };
    // Before the change: a thief would not ask again for the sake of the notice.
    await mailTo(queues.MailQueue, { kind: 'second-factor-changed', application, to, locale: null, data: {} });
    await prefer(cognito(), token, false);
  });
  return { enabled: false as const };
});
