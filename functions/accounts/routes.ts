import * as z from 'zod/mini';
import { Email, KnownLocale, TimeZone } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { adjust, append, get, read, replace, sendTo, userPool, withSecret } from '../../lib/contract/uses.ts';
import { SignInLocked } from '../auth/errors.ts';
import { SignInKey } from '../auth/secrets.ts';
import { Sessions, SignInTries } from '../auth/tables.ts';
import { MailQueue } from '../mail/queues.ts';
import { MailKey } from '../mail/secrets.ts';
import { MailRecords } from '../mail/tables.ts';
import { UserNotFound } from '../users/errors.ts';
import { Users } from '../users/tables.ts';
import { AgeRequired, CodeInvalid, PasswordRejected, PasswordWrong, SecondFactorInvalid } from './errors.ts';
import { writeOwnAccount } from './permissions.ts';

const sleepcare = ['sleepcare'] as const;

const Code = z.string().check(z.regex(/^[0-9]{6}$/, 'must be six digits'));

/** The pool's own rules (lib/stack/identity.ts), so that a password that it refuses costs no try of a code. */
const NewPassword = z
  .string()
  .check(
    z.minLength(12),
    z.maxLength(256, { abort: true }),
    z.regex(/^\S([^\p{Cc}]*\S)?$/u, 'must neither begin nor end with a space, and have no control characters'),
  );

const CurrentPassword = z.string().check(z.minLength(1), z.maxLength(256));

const Sent = z.object({ status: z.enum(['verification-sent']) });
const Done = z.object({ success: z.literal(true) });

export const requestSignUp = route({
  method: 'POST',
  path: '/users',
  summary: 'Asks for an account: a code is sent to the address',
  description:
    'The answer is the same whether the address has an account or not; if it has one, the mail says so. At most ' +
    'five mails an hour go to an address. The user chooses the password when entering the code (`POST ' +
    '/users/verify`), so a code that somebody else requested gives that person no access.',
  applications: sleepcare,
  auth: 'public',
  uses: [sendTo(MailQueue)],
  body: z.object({ email: Email, locale: z.optional(KnownLocale), timezone: z.optional(TimeZone) }),
  status: 202,
  response: Sent,
  errors: [],
});

export const verifySignUp = route({
  method: 'POST',
  path: '/users/verify',
  summary: 'Makes the account, with the code of the mail and a password',
  description:
    'From then on the user can sign in with `POST /auth/tokens`. A code is valid for 15 minutes and five tries. ' +
    'The answer is the same for a wrong code, an expired code and an address without a code. The year of birth is ' +
    'not stored.',
  applications: sleepcare,
  auth: 'public',
  uses: [read(MailRecords), adjust(MailRecords), withSecret(MailKey), read(Users), append(Users), userPool('enrol')],
  body: z.object({
    email: Email,
    code: Code,
    password: NewPassword,
    birthYear: z.int().check(z.minimum(1900), z.maximum(2100)),
  }),
  response: Done,
  errors: [CodeInvalid, PasswordRejected, AgeRequired],
});

export const forgotPassword = route({
  method: 'POST',
  path: '/auth/password/forgot',
  summary: 'Asks for a new password: a code is sent to the address',
  description: 'The answer is the same whether the address has an account or not. Without an account, no mail is sent.',
  applications: sleepcare,
  auth: 'public',
  uses: [sendTo(MailQueue)],
  body: z.object({ email: Email, locale: z.optional(KnownLocale) }),
  status: 202,
  response: Sent,
  errors: [],
});

export const resetPassword = route({
  method: 'POST',
  path: '/auth/password/reset',
  summary: 'Sets a new password, with the code of the mail; all sessions end',
  description:
    'It also works while the sign-in is locked (`SIGN_IN_LOCKED`). It ends the lock of this e-mail address for the ' +
    "caller's IP address, but no lock after wrong codes of a second factor. It does not change a second factor.",
  applications: sleepcare,
  auth: 'public',
  uses: [
    read(MailRecords),
    adjust(MailRecords),
    withSecret(MailKey),
    read(Sessions),
    adjust(Sessions),
    read(SignInTries),
    append(SignInTries),
    withSecret(SignInKey),
    userPool('password'),
    sendTo(MailQueue),
  ],
  body: z.object({ email: Email, code: Code, password: NewPassword }),
  response: Done,
  errors: [CodeInvalid, PasswordRejected],
});

export const changePassword = route({
  method: 'PUT',
  path: '/users/me/password',
  summary: "Changes the caller's password; other sessions end",
  applications: sleepcare,
  auth: writeOwnAccount,
  uses: [
    read(Sessions),
    adjust(Sessions),
    read(SignInTries),
    append(SignInTries),
    withSecret(SignInKey),
    userPool('renew'),
    sendTo(MailQueue),
  ],
  body: z.object({ currentPassword: CurrentPassword, password: NewPassword }),
  response: Done,
  errors: [PasswordWrong, PasswordRejected, SignInLocked, UserNotFound],
});

export const requestEmailChange = route({
  method: 'POST',
  path: '/users/me/email',
  summary: 'Asks for another e-mail address: a code is sent to it',
  description:
    'The answer is the same whether the address has an account or not. The sign-in must be at most ten minutes ' +
    'old (403 `SIGN_IN_TOO_OLD`).',
  applications: sleepcare,
  auth: writeOwnAccount,
  signedInWithinSeconds: 600,
  uses: [get(Users), sendTo(MailQueue)],
  body: z.object({ email: Email }),
  status: 202,
  response: Sent,
  errors: [],
});

export const verifyEmailChange = route({
  method: 'POST',
  path: '/users/me/email/verify',
  summary: "Changes the caller's e-mail address, with the code that was sent to it",
  description: 'From then on the user signs in with the new address. The old address gets a mail.',
  applications: sleepcare,
  auth: writeOwnAccount,
  signedInWithinSeconds: 600,
  uses: [
    read(MailRecords),
    adjust(MailRecords),
    withSecret(MailKey),
    read(Users),
    replace(Users),
    userPool('address'),
    sendTo(MailQueue),
  ],
  body: z.object({ email: Email, code: Code }),
  response: z.object({ email: z.string() }),
  errors: [CodeInvalid],
});

export const beginSecondFactor = route({
  method: 'POST',
  path: '/users/me/second-factor',
  summary: 'Begins the set-up of an authenticator app',
  description:
    'Show `secret` (base32, for RFC 6238 with SHA-1, six digits and 30 seconds) as a QR code, and send its first code to ' +
    '`POST /users/me/second-factor/verify`. Until then nothing has changed.',
  applications: sleepcare,
  auth: writeOwnAccount,
  whenClosed: 'answers',
  signedInWithinSeconds: 600,
  uses: [userPool('renew')],
  response: z.object({ secret: z.string() }),
  errors: [UserNotFound],
});

export const verifySecondFactor = route({
  method: 'POST',
  path: '/users/me/second-factor/verify',
  summary: 'Ends the set-up: from then on each sign-in asks for a code',
  applications: sleepcare,
  auth: writeOwnAccount,
  whenClosed: 'answers',
  signedInWithinSeconds: 600,
  uses: [userPool('renew'), sendTo(MailQueue)],
  body: z.object({ code: Code }),
  response: z.object({ enabled: z.literal(true) }),
  errors: [SecondFactorInvalid, UserNotFound],
});

export const removeSecondFactor = route({
  method: 'DELETE',
  path: '/users/me/second-factor',
  summary: 'Ends the second factor',
  description: 'From then on a sign-in asks only for the password. Without a second factor the call succeeds as well.',
  applications: sleepcare,
  auth: writeOwnAccount,
  whenClosed: 'answers',
  signedInWithinSeconds: 600,
  uses: [userPool('renew'), sendTo(MailQueue)],
  response: z.object({ enabled: z.literal(false) }),
  errors: [UserNotFound],
});
