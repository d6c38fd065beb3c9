import { randomUUID } from 'node:crypto';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { lambdaWithAccess } from '../../../lib/runtime/access.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { auditEvent, auditPut } from '../../audit/rules/audit-event.ts';
import { StaffNotFound } from '../errors.ts';
import { resendStaffInvitation } from '../routes.ts';
import { told } from '../rules/staff.ts';
import { isCommitted, readAccount } from '../stores/staff-rows.ts';
import { mailInvitation } from '../workflows/mail-invitation.ts';

export const handler = serve(
  resendStaffInvitation,
  lambdaWithAccess,
)(async ({ params: { staffId }, caller, application, requestId, tables, queues, fail }) => {
  const account = await readAccount(dynamo(), tables.StaffAccounts, staffId);
  if (!account) return fail(StaffNotFound);
  if (account.status !== 'invited') return { staffId, isSent: false };
  const event = auditEvent({
    application,
    actor: caller.userId,
    requestId,
    action: 'staff.invited-again',
    subject: `staff/${staffId}`,
    before: null,
    after: told(account),
    realNow: new Date(),
    random: randomUUID(),
  });
  if (!(await isCommitted(dynamo(), [auditPut(tables.AuditEvents, event)]))) throw new Failure(Unavailable);
  return { staffId, isSent: await mailInvitation(queues.MailQueue, account, null) };
});

await initialize(resendStaffInvitation);
