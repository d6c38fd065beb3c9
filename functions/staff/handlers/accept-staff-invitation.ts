import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { checkCode } from '../../mail/exports.ts';
import { InvitationInvalid } from '../errors.ts';
import { acceptStaffInvitation } from '../routes.ts';
import { acceptInvitation } from '../workflows/accept-invitation.ts';

export const handler = serve(acceptStaffInvitation)(async (input) => {
  const { body, application, requestId, tables, secrets, userPool, fail } = input;
  const { email, code, password } = body;
  const place = { dynamo: dynamo(), tables, secret: secrets.MailKey };
  const right = await checkCode(place, { application, kind: 'staff-invitation', email, code });
  const accepted =
    right &&
    (await acceptInvitation(
      { client: dynamo(), tables, pool: { client: cognito(), id: userPool.id } },
      { userId: right.keep.staffId ?? '', email, password },
      { application, requestId, realNow: new Date() },
    ));
  if (accepted === 'weak') {
    const issue = {
      in: 'body',
      path: 'password',
      code: 'invalid_value',
      message: 'does not meet the policy for passwords',
    } as const;
    return fail(ValidationFailed, { issues: [issue] });
  }
  if (!right || accepted !== 'accepted') return fail(InvitationInvalid);
  await right.useUp();
  return { success: true };
});
