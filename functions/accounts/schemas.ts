import * as z from 'zod/mini';
import { Email } from '../../lib/contract/fields.ts';

/** The pool's own rules (lib/stack/identity.ts), so that a password that it refuses costs no try of a code. */
export const NewPassword = z
  .string()
  .check(
    z.minLength(12),
    z.maxLength(256, { abort: true }),
    z.regex(/^\S([^\p{Cc}]*\S)?$/u, 'must neither begin nor end with a space, and have no control characters'),
  );

export const Code = z.string().check(z.regex(/^[0-9]{6}$/, 'must be six digits'));

export const CurrentPassword = z.string().check(z.minLength(1), z.maxLength(256));

/** What a change of the second factor asks for once more: a stolen access token knows neither. */
export const SignedInAgain = {
  password: CurrentPassword,
  /** Of the authenticator app that the account has. */
  presentCode: z.optional(Code),
};

/** What the routes take without a session. The functions that they ask take the same. */
export const SignUpVerification = z.object({
  email: Email,
  code: Code,
  password: NewPassword,
  birthYear: z.int().check(z.minimum(1900), z.maximum(2100)),
});
export const resetting = { email: Email, code: Code, password: NewPassword };
export const PasswordReset = z.object(resetting);
export const SecureLinkToken = z.object({
  token: z.string().check(z.regex(/^[0-9a-f]{8}\.[\w-]{100,1000}$/, 'must be the token of the link')),
});
export const Secured = z.object({ status: z.enum(['secured', 'link-used']), addressRestored: z.boolean() });

export const Sent = z.object({ status: z.enum(['verification-sent']) });
export const Done = z.object({ success: z.literal(true) });
