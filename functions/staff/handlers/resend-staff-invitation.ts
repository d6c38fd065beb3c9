import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { readStaffName } from '../../crm-users/exports.ts';
import { StaffNotFound } from '../errors.ts';
import { resendStaffInvitation } from '../routes.ts';
import { readAccount } from '../stores/staff-rows.ts';
import { mailAgain } from '../workflows/mail-invitation.ts';

export const handler = serve(resendStaffInvitation)(
  async ({ params: { staffId }, caller, application, requestId, tables, queues, secrets, userPool, fail }) => {
    const [account, inviter] = await Promise.all([
      readAccount(tables.StaffAccounts, staffId),
      readStaffName(tables.Staff, caller.userId),
    ]);
    if (!account) return fail(StaffNotFound);
    const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
    const pool = { client: cognito(), id: userPool.id };
    const deps = { tables, queueUrl: queues.MailQueue, secret: secrets.MailKey, pool };
    const invitationCode = await mailAgain(deps, account, inviter, occasion);
    return { staffId, isSent: invitationCode !== null, invitationCode };
  },
);
