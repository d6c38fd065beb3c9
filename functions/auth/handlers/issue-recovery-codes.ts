import { randomUUID } from 'node:crypto';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { auditEvent } from '../../audit/rules/audit-event.ts';
import { mailTo } from '../../mail/exports.ts';
import { issueRecoveryCodes } from '../routes.ts';
import { codeCount } from '../rules/recovery-code.ts';
import { issueCodes } from '../stores/recovery-codes.ts';

export const handler = serve(issueRecoveryCodes)(async (input) => {
  const { caller, application, requestId, tables, secrets, queues } = input;
  const { userId } = caller;
  // Before the change: a thief would not ask again for the sake of the notice.
  await mailTo(queues.MailQueue, {
    kind: 'recovery-codes-issued',
    application,
    to: { userId },
    locale: null,
    data: {},
  });
  const event = auditEvent({
    application,
    actor: userId,
    requestId,
    action: 'recovery-codes.issued',
    subject: `user/${userId}`,
    before: null,
    after: { count: codeCount },
    realNow: new Date(),
    random: randomUUID(),
  });
  return { codes: await issueCodes({ dynamo: dynamo(), tables, secret: secrets.SignInKey }, userId, event) };
});

await initialize(issueRecoveryCodes);
