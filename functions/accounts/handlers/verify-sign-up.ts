import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { checkCode } from '../../mail/exports.ts';
import { minimumAge } from '../../product.ts';
import { addUser } from '../../users/exports.ts';
import { isOldEnough } from '../../users/rules.ts';
import { AgeRequired, CodeInvalid } from '../errors.ts';
import { verifySignUp } from '../routes.ts';
import { enrol, setPassword } from '../stores/user-pool.ts';

export const handler = serve(verifySignUp)(async ({ body, application, now, tables, secrets, userPool, fail }) => {
  const { email, code, password, birthYear } = body;
  // First: it costs no try, and says nothing of the address.
  const least = minimumAge[application];
  if (!isOldEnough(birthYear, least, now)) return fail(AgeRequired, { minimumAge: least });
  const place = { dynamo: dynamo(), tables, secret: secrets.MailKey };
  const right = await checkCode(place, { application, kind: 'sign-up', email, code });
  if (!right) return fail(CodeInvalid);
  const user = await enrol(cognito(), userPool.id, email, 'patient');
  // An account that changed to this address since the mail was sent keeps its password: the code may set only that of the account that
  // it makes, also once more after a crash.
  const { hasPassword, userId } = user;
  if (!(hasPassword ? await right.isEnrolled(userId) : await right.noteEnrolled(userId))) return fail(CodeInvalid);
  const { locale = null, timezone = null } = right.keep;
  await addUser(dynamo(), tables.Users, {
    userId,
    username: user.username,
    application,
    email,
    locale,
    timezone,
    birthYear,
    createdAt: now.toISOString(),
  });
  // Last: until then nobody can sign in, and the same code goes on from here.
  await setPassword(cognito(), userPool.id, user, password);
  await right.useUp();
  return { success: true as const };
});
