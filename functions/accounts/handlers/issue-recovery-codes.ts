import { cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { issueCodes } from '../../auth/exports.ts';
import { mailTo } from '../../mail/exports.ts';
import { issueRecoveryCodes } from '../routes.ts';
import { asOwner } from '../workflows/as-owner.ts';

export const handler = serve(issueRecoveryCodes)(async (input) => {
  const { body, caller, application, requestId, tables, queues } = input;
  const deps = { ...input, cognito: cognitoOnce() };
  const codes = await asOwner(deps, { passwords: [body.password], presentCode: body.presentCode }, async () => {
    const to = { userId: caller.userId };
    // Before the change: a thief would not ask again for the sake of the notice.
    await mailTo(queues.MailQueue, { kind: 'recovery-codes-issued', application, to, locale: null, data: {} });
    return issueCodes({ tables }, caller.userId, { application, requestId, realNow: new Date() });
  });
  return { codes };
});
