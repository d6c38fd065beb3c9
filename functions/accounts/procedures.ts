import * as z from 'zod/mini';
import { procedure } from '../../lib/contract/procedures.ts';
import { AgeRequired, CodeInvalid, LinkInvalid, PasswordRejected } from './errors.ts';
import { Done, resetting, Secured, SecureLinkToken, SignUpVerification } from './schemas.ts';

/** What people do without a session, with a code or a link of a mail. The performer checks these itself, and uses them up. */

export const EnrolUser = procedure('EnrolUser', {
  isRepeatable: false,
  input: SignUpVerification,
  output: Done,
  errors: [CodeInvalid, PasswordRejected, AgeRequired],
});

export const ReplacePassword = procedure('ReplacePassword', {
  isRepeatable: false,
  /** `sourceIp`: whose lock of the sign-in ends. Without `z.extend`, which would be 1.5 KiB of each bundle. */
  input: z.object({ ...resetting, sourceIp: z.string() }),
  output: Done,
  errors: [CodeInvalid, PasswordRejected],
});

export const TakeAccountBack = procedure('TakeAccountBack', {
  isRepeatable: false,
  input: SecureLinkToken,
  output: Secured,
  errors: [LinkInvalid],
});
