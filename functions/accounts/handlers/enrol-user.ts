import { cognito } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { performing } from '../../../lib/runtime/perform.ts';
import { checkCode } from '../../mail/exports.ts';
import { minimumAge } from '../../product.ts';
import { addUser } from '../../users/exports.ts';
import { isOldEnough } from '../../users/rules.ts';
import { enrolUser } from '../consumers.ts';
import { AgeRequired, CodeInvalid, PasswordRejected } from '../errors.ts';
import { weaknessOf } from '../rules/password.ts';
import { enrol, setPassword } from '../stores/user-pool.ts';

export const handler = performing(enrolUser)(async (input, { where, businessNow, tables, secrets, userPool }) => {
  const { email, code, password, birthYear } = input;
  const { application } = where;
  // First, as is the password: they cost no try, and say nothing of the address.
  const least = minimumAge[application];
  if (!isOldEnough(birthYear, least, businessNow)) throw new Failure(AgeRequired, { minimumAge: least });
  const reason = weaknessOf(password, { email, name: null });
  if (reason) throw new Failure(PasswordRejected, { reason });
  const deps = { tables, secret: secrets.MailKey };
  const right = await checkCode(deps, { application, kind: 'sign-up', email, code });
  if (!right) throw new Failure(CodeInvalid);
  const user = await enrol(cognito(), userPool.id, email, 'patient');
  // An account that changed to this address since the mail was sent keeps its password: the code may set only that of the account that
  // it makes, also once more after a crash.
  const { hasPassword, userId } = user;
  if (!(hasPassword ? await right.isEnrolled(userId) : await right.noteEnrolled(userId))) {
    throw new Failure(CodeInvalid);
  }
  const { locale = null, timezone = null } = right.keep;
  await addUser(tables.Users, {
    userId,
    username: user.username,
    application,
    email,
    locale,
    timezone,
    birthYear,
    createdAt: businessNow.toISOString(),
  });
  // Last: until then nobody can sign in, and the same code goes on from here.
  await setPassword(cognito(), userPool.id, user, password);
  await right.useUp();
  return { success: true as const };
});
