import * as z from 'zod/mini';
import { procedure } from '../../lib/contract/procedures.ts';
import { PasswordRejected } from '../accounts/errors.ts';
import { InvitationInvalid } from './errors.ts';
import { Accepted, accepting } from './schemas.ts';

/** The performer checks token and code itself. `requestId`: of the audit event. */
export const AcceptInvitation = procedure('AcceptInvitation', {
  isRepeatable: false,
  input: z.object({ ...accepting, requestId: z.string() }),
  output: Accepted,
  errors: [PasswordRejected, InvitationInvalid],
});
