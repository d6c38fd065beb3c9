import { cognito } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { performing } from '../../../lib/runtime/perform.ts';
import { endInPoolAndList, forgetTries } from '../../auth/exports.ts';
import { readStaffName } from '../../crm-users/exports.ts';
import { checkCode, inTurn, mailTo } from '../../mail/exports.ts';
import { replacePassword } from '../consumers.ts';
import { CodeInvalid, PasswordRejected } from '../errors.ts';
import { weaknessOf } from '../rules/password.ts';
import { readMember } from '../stores/owner.ts';
import { endSessions, find, setPassword } from '../stores/user-pool.ts';

export const handler = performing(replacePassword)(async (input, { where, tables, secrets, queues, userPool }) => {
  const { email, code, password, sourceIp } = input;
  const { application } = where;
  // First: it costs no try of the code.
  const weak = weaknessOf(password, { email, name: null });
  if (weak) throw new Failure(PasswordRejected, { reason: weak });
  const deps = { tables, secret: secrets.MailKey };
  const right = await checkCode(deps, { application, kind: 'password-reset', email, code });
  const user = right && (await find(cognito(), userPool.id, email));
  if (!right || !user) throw new Failure(CodeInvalid);
  if (application === 'medinfo') {
    // An invitation, or a reset by an administrator, is accepted with the code of its own mail.
    const member = await readMember(tables.StaffAccounts, user.userId);
    if (member?.status !== 'active') throw new Failure(CodeInvalid);
    const reason = weaknessOf(password, { email, name: await readStaffName(tables.Staff, user.userId) });
    if (reason) throw new Failure(PasswordRejected, { reason });
  }
  const isDone = await inTurn(deps, user.userId, async () => {
    // The owner has taken the account back from this address meanwhile.
    if ((await find(cognito(), userPool.id, email))?.userId !== user.userId) return false;
    // Before the change: a thief would not repeat the request for the sake of the notice.
    await mailTo(queues.MailQueue, {
      kind: 'password-changed',
      application,
      to: { userId: user.userId, email },
      locale: null,
      data: {},
    });
    await setPassword(cognito(), userPool.id, user, password);
    await endInPoolAndList(tables, user.userId, () => endSessions(cognito(), userPool.id, user), 'password');
    return true;
  });
  if (!isDone) throw new Failure(CodeInvalid);
  await forgetTries(tables.SignInTries, {
    secret: secrets.SignInKey,
    application,
    username: email,
    sourceIp,
  });
  await right.useUp();
  return { success: true as const };
});
