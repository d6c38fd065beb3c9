import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { endAllSessions, forgetTries } from '../../auth/exports.ts';
import { checkCode, mailTo } from '../../mail/exports.ts';
import { CodeInvalid } from '../errors.ts';
import { resetPassword } from '../routes.ts';
import { endSessions, find, setPassword } from '../stores/user-pool.ts';

export const handler = serve(resetPassword)(async (input) => {
  const { body, application, tables, secrets, queues, userPool, sourceIp, fail } = input;
  const { email, code, password } = body;
  const place = { dynamo: dynamo(), tables, secret: secrets.MailKey };
  const right = await checkCode(place, { application, kind: 'password-reset', email, code });
  const user = right && (await find(cognito(), userPool.id, email));
  if (!right || !user) return fail(CodeInvalid);
  await setPassword(cognito(), userPool.id, user, password);
  await endSessions(cognito(), userPool.id, user);
  await endAllSessions(dynamo(), tables.Sessions, user.userId, new Date());
  await forgetTries(dynamo(), tables.SignInTries, {
    secret: secrets.SignInKey,
    application,
    username: email,
    sourceIp,
  });
  await mailTo(queues.MailQueue, { kind: 'password-changed', application, to: { email }, locale: null, data: {} });
  await right.useUp();
  return { success: true as const };
});
