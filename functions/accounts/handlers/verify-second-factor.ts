import { cognito, cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { mailTo } from '../../mail/exports.ts';
import { verifySecondFactor } from '../routes.ts';
import { finishSetUp, prefer } from '../stores/user-pool.ts';
import { asOwner } from '../workflows/as-owner.ts';

export const handler = serve(verifySecondFactor)(async (input) => {
  const { body, caller, application, queues } = input;
  const deps = { ...input, cognito: cognitoOnce() };
  await asOwner(deps, { passwords: [body.password], presentCode: body.presentCode }, async (token) => {
    await finishSetUp(cognitoOnce(), token, body.code);
    const to = { userId: caller.userId };
    // Before the change: the code works once, so that a repetition would not come this far. A notice too many is better than none.
    await mailTo(queues.MailQueue, { kind: 'second-factor-changed', application, to, locale: null, data: {} });
    await prefer(cognito(), token, true);
  });
  return { enabled: true as const };
});
