import { dynamo } from '../../../lib/runtime/clients.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { mailTo } from '../../mail/exports.ts';
import { issueRecoveryCodes } from '../routes.ts';
import { issueCodes } from '../stores/recovery-codes.ts';

export const handler = serve(issueRecoveryCodes)(async (input) => {
  const { caller, application, requestId, tables, queues } = input;
  const to = { userId: caller.userId };
  // Before the change: a thief would not ask again for the sake of the notice.
  await mailTo(queues.MailQueue, { kind: 'recovery-codes-issued', application, to, locale: null, data: {} });
  const place = { dynamo: dynamo(), tables };
  return { codes: await issueCodes(place, caller.userId, { application, requestId, realNow: new Date() }) };
});
