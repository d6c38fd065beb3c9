import { dynamo } from '../../../lib/runtime/clients.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { StaffNotFound } from '../errors.ts';
import { resendStaffInvitation } from '../routes.ts';
import { readAccount } from '../stores/staff-rows.ts';
import { mailAgain } from '../workflows/mail-invitation.ts';

export const handler = serve(
  resendStaffInvitation,
  lambdaWithAccess,
)(async ({ params: { staffId }, caller, application, requestId, tables, queues, fail }) => {
  const account = await readAccount(dynamo(), tables.StaffAccounts, staffId);
  if (!account) return fail(StaffNotFound);
  const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
  const place = { client: dynamo(), auditEvents: tables.AuditEvents, queueUrl: queues.MailQueue };
  return { staffId, isSent: account.status === 'invited' && (await mailAgain(place, account, occasion)) };
});
