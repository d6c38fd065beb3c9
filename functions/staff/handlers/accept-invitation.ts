import { cognito, cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { performing } from '../../../lib/runtime/perform.ts';
import { PasswordRejected } from '../../accounts/errors.ts';
import { weaknessOf } from '../../accounts/rules.ts';
import { readStaffName } from '../../crm-users/exports.ts';
import { checkCode, linkPassword } from '../../mail/exports.ts';
import { acceptInvitation } from '../consumers.ts';
import { InvitationInvalid } from '../errors.ts';
import { awaitActivation, invitedAccount } from '../workflows/await-activation.ts';
import { choosePassword } from '../workflows/choose-password.ts';

export const handler = performing(acceptInvitation)(async (input, bindings) => {
  const { email, token, code, password, requestId } = input;
  const { where, tables, secrets, queues, userPool } = bindings;
  const { application } = where;
  // First: it costs no try of the code.
  const weak = weaknessOf(password, { email, name: null });
  if (weak) throw new Failure(PasswordRejected, { reason: weak });
  const deps = { tables, secret: secrets.MailKey };
  const right = await checkCode(deps, { application, kind: 'staff-invitation', email, token, code });
  if (!right) throw new Failure(InvitationInvalid);
  const userId = right.keep.staffId ?? '';
  const reason = weaknessOf(password, { email, name: await readStaffName(tables.Staff, userId) });
  if (reason) throw new Failure(PasswordRejected, { reason });
  const accounts = { table: tables.StaffAccounts };
  const account = await invitedAccount(accounts, { userId, email, mailId: right.mailId });
  if (!account) throw new Failure(InvitationInvalid);
  const temporary = linkPassword(secrets.MailKey, { token, code });
  const pool = { client: cognito(), once: cognitoOnce(), userPool };
  const chosen = await choosePassword(pool, { userId, temporary, password });
  if (chosen === 'weak') throw new Failure(PasswordRejected, { reason: 'policy' });
  if (chosen !== 'chosen') throw new Failure(InvitationInvalid);
  const waiting = { ...accounts, queueUrl: queues.AcceptedInvitations };
  if (!(await awaitActivation(waiting, account, requestId))) throw new Failure(InvitationInvalid);
  await right.useUp();
  return { success: true };
});
