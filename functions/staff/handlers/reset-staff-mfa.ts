import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { endInPoolAndList, forgetCodes } from '../../auth/exports.ts';
import { readStaffName } from '../../crm-users/exports.ts';
import { resetStaffMfa } from '../routes.ts';
import { deleteSecondFactor, signOut, voidPassword } from '../stores/user-pool.ts';
import { change, memberOf } from '../workflows/answer-change.ts';
import { resettingSignIn } from '../workflows/decisions.ts';
import { mailInvitation } from '../workflows/mail-invitation.ts';

export const handler = serve(resetStaffMfa)(async (input) => {
  const { params, caller, tables, queues, secrets } = input;
  const { staffId } = params;
  const pool = { client: cognito(), id: input.userPool.id };
  // The row first: from then on the lost phone is refused, even if a later step fails.
  const account = await change(input, staffId, resettingSignIn);
  // The password is replaced before the app is removed, so a password is never enough to sign in. Somebody without an address could not choose a new one.
  if (account.email !== null) await voidPassword(pool, staffId);
  await deleteSecondFactor(pool, staffId);
  await forgetCodes(tables.RecoveryCodes, staffId);
  // Ends sessions that the lost phone began in between.
  await endInPoolAndList(tables, staffId, () => signOut(pool, staffId));
  const nameOf = (userId: string) => readStaffName(tables.Staff, userId);
  const [inviter, name] = await Promise.all([nameOf(caller.userId), nameOf(staffId)]);
  const mails = { tables, queueUrl: queues.MailQueue, secret: secrets.MailKey, pool };
  const invitationCode = await mailInvitation(mails, account, { inviter });
  return { ...memberOf(account, name), invitationCode };
});
