import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { checkCode, mailTo } from '../../mail/exports.ts';
import { moveEmail, readProfile } from '../../users/exports.ts';
import { CodeInvalid } from '../errors.ts';
import { verifyEmailChange } from '../routes.ts';
import { setEmail } from '../stores/user-pool.ts';

export const handler = serve(verifyEmailChange)(async (input) => {
  const { body, caller, application, tables, secrets, queues, userPool, fail } = input;
  const { email, code } = body;
  const place = { dynamo: dynamo(), tables, secret: secrets.MailKey };
  const right = await checkCode(place, { application, kind: 'email-change', email, code });
  if (right?.keep.userId !== caller.userId) return fail(CodeInvalid);
  const before = await readProfile(dynamo(), tables.Users, caller.userId);
  // Another account has the address meanwhile: its owner was written to, and this code is worth nothing.
  if (!(await setEmail(cognito(), userPool.id, caller.username, email))) return fail(CodeInvalid);
  if (before?.email && before.email !== email) {
    const to = { email: before.email };
    await mailTo(queues.MailQueue, { kind: 'email-changed', application, to, locale: before.locale, data: {} });
  }
  await moveEmail(dynamo(), tables.Users, caller.userId, email);
  // Last: after a crash the same code goes on from here.
  await right.useUp();
  return { email };
});
