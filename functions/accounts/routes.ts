import * as z from 'zod/mini';
import { combined, Email, KnownLocale, TimeZone } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { StaffAccounts } from '../../lib/contract/staff-accounts.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { adjust, append, callTo, get, joined, read, replace, sendTo, withSecret } from '../../lib/contract/uses.ts';
import { Staff } from '../access/data-subject.ts';
import { AuditEvents } from '../audit/tables.ts';
import { AccountDisabled, InvalidCredentials, SignInLocked } from '../auth/errors.ts';
import { SignInKey } from '../auth/secrets.ts';
import { RecoveryCodes, SignInTries } from '../auth/tables.ts';
import { endingUses } from '../auth/uses.ts';
import { MailQueue } from '../mail/queues.ts';
import { MailKey } from '../mail/secrets.ts';
import { MailRecords } from '../mail/tables.ts';
import { UserNotFound } from '../users/errors.ts';
import { Users } from '../users/tables.ts';
import {
  AgeRequired,
  CodeInvalid,
  LinkInvalid,
  PasswordRejected,
  PasswordWrong,
  PresentCodeInvalid,
  PresentCodeRequired,
  SecondFactorInvalid,
} from './errors.ts';
import { writeOwnAccount, writeOwnPassword, writeOwnRecoveryCodes } from './permissions.ts';
import { EnrolUser, ReplacePassword, TakeAccountBack } from './procedures.ts';
import {
  Code,
  CurrentPassword,
  Done,
  NewPassword,
  PasswordReset,
  Secured,
  SecureLinkToken,
  Sent,
  SignedInAgain,
  SignUpVerification,
} from './schemas.ts';

const sleepcare = ['sleepcare'] as const;
const both = ['sleepcare', 'medinfo'] as const;

/** How `asOwner` signs the caller in once more, and counts the tries. */
const asOwnerUses = [
  read(SignInTries),
  append(SignInTries),
  withSecret(SignInKey),
  userPool('own-account'),
  sendTo(MailQueue),
] as const;
const asOwnerErrors = [PasswordWrong, PresentCodeRequired, PresentCodeInvalid, SignInLocked, UserNotFound] as const;

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
    'From then on the user can sign in with `POST /auth/tokens`. A code is valid for 10 minutes and five tries. ' +
    'The answer is the same for a wrong code, an expired code and an address without a code. The year of birth is ' +
    'not stored.',
  applications: sleepcare,
  auth: 'public',
  uses: [callTo(EnrolUser)],
  body: SignUpVerification,
  response: Done,
  errors: [CodeInvalid, PasswordRejected, AgeRequired],
});

export const forgotPassword = route({
  method: 'POST',
  path: '/auth/password/forgot',
  summary: 'Asks for a new password: a code is sent to the address',
  description:
    'The answer is the same whether the address has an account or not. Without an account, no mail is sent. Staff get a mail only while ' +
    'their account is active: after an invitation or a reset by an administrator the code of that mail counts.',
  applications: both,
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
  applications: both,
  auth: 'public',
  uses: [callTo(ReplacePassword)],
  body: PasswordReset,
  response: Done,
  errors: [CodeInvalid, PasswordRejected],
});

export const chooseFirstPassword = route({
  method: 'POST',
  path: '/auth/password/first',
  summary: 'Replaces a temporary password with one that the user chooses',
  description:
    'For an account whose sign-in answers `CHALLENGE_REQUIRED` with `NEW_PASSWORD_REQUIRED`: an operator made it, and its temporary ' +
    'password is valid for a day. Then the user signs in with the new password. Failures count like failures of a sign-in. The ' +
    'answer is the same for a wrong password, an unknown address and an account without a temporary password. After a lost answer ' +
    'the user signs in.',
  applications: both,
  auth: 'public',
  uses: [
    userPool(['authenticate', 'answer-challenge']),
    read(SignInTries),
    append(SignInTries),
    withSecret(SignInKey),
    get(Staff),
    sendTo(MailQueue),
  ],
  body: z.object({ email: Email, temporaryPassword: CurrentPassword, password: NewPassword }),
  response: Done,
  errors: [InvalidCredentials, AccountDisabled, PasswordRejected, SignInLocked],
  counts: {
    firstPasswordRefused: {
      alarmAt: 20,
      withinSeconds: 900,
      impact:
        'Twenty temporary passwords were refused or met a lock within a quarter of an hour. Few people ever have one: ' +
        'somebody may be guessing passwords here.',
    },
  },
});

export const changePassword = route({
  method: 'PUT',
  path: '/users/me/password',
  summary: "Changes the caller's password; other sessions end",
  description:
    'An account with an authenticator app also needs its present code (`presentCode`). Failures count like failures of a ' +
    'sign-in.',
  applications: both,
  auth: writeOwnPassword,
  uses: joined(joined(endingUses, asOwnerUses), [get(Users), get(StaffAccounts), get(Staff)]),
  body: z.object({ currentPassword: CurrentPassword, presentCode: z.optional(Code), password: NewPassword }),
  response: Done,
  errors: joined(asOwnerErrors, [PasswordRejected]),
});

export const secureAccount = route({
  method: 'POST',
  path: '/auth/secure-account',
  summary: 'Ends all sessions and the password, with the link of a mail',
  description:
    'For people who did not do what a mail about their account says ("this was not me"). Such a mail has a link; `token` is what it has ' +
    'after the `#`. From then on nobody can sign in until a new password is chosen with `POST /auth/password/forgot`. The link opens ' +
    'nothing and changes no second factor. It works once, for 24 hours; then the answer is `link-used`. The link of the mail to a ' +
    'former address works for 7 days, and the account gets that address back (`addressRestored`), unless another account has it.',
  applications: both,
  auth: 'public',
  uses: [callTo(TakeAccountBack)],
  body: SecureLinkToken,
  response: Secured,
  errors: [LinkInvalid],
  counts: {
    accountSecured: {
      alarmAt: 20,
      withinSeconds: 900,
      impact:
        'Twenty people said within a quarter of an hour that somebody else used their account: passwords may have been stolen, or ' +
        'somebody has the key that makes the links.',
    },
  },
});

export const requestEmailChange = route({
  method: 'POST',
  path: '/users/me/email',
  summary: 'Asks for another e-mail address: a code is sent to it',
  description:
    'The password is asked for again, and the present code where the account has an authenticator app; failures count like failures ' +
    'of a sign-in. The answer is the same whether the address has an account or not. The sign-in must be at most ten minutes ' +
    'old (403 `SIGN_IN_TOO_OLD`).',
  applications: sleepcare,
  auth: writeOwnAccount,
  signedInWithinSeconds: 600,
  uses: joined(asOwnerUses, [get(Users)]),
  body: z.object(combined(SignedInAgain, { email: Email })),
  status: 202,
  response: Sent,
  errors: asOwnerErrors,
});

export const verifyEmailChange = route({
  method: 'POST',
  path: '/users/me/email/verify',
  summary: "Changes the caller's e-mail address, with the code that was sent to it",
  description:
    'From then on the user signs in with the new address. The old address gets a mail. For 7 days no other account gets it.',
  applications: sleepcare,
  auth: writeOwnAccount,
  signedInWithinSeconds: 600,
  uses: [
    read(MailRecords),
    adjust(MailRecords),
    withSecret(MailKey),
    read(Users),
    replace(Users),
    userPool(['read', 'set-address']),
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
    '`POST /users/me/second-factor/verify`. Until then nothing has changed. The password is asked for again, and the present ' +
    'code where the account has an app already. Failures count like failures of a sign-in.',
  applications: sleepcare,
  auth: writeOwnAccount,
  signedInWithinSeconds: 600,
  uses: asOwnerUses,
  body: z.object(SignedInAgain),
  response: z.object({ secret: z.string() }),
  errors: asOwnerErrors,
});

export const verifySecondFactor = route({
  method: 'POST',
  path: '/users/me/second-factor/verify',
  summary: 'Ends the set-up: from then on each sign-in asks for a code',
  description:
    '`code` is the first code of the new app. `presentCode` is one of the app that it replaces, if there is one.',
  applications: sleepcare,
  auth: writeOwnAccount,
  signedInWithinSeconds: 600,
  uses: asOwnerUses,
  body: z.object(combined(SignedInAgain, { code: Code })),
  response: z.object({ enabled: z.literal(true) }),
  errors: joined(asOwnerErrors, [SecondFactorInvalid]),
});

export const removeSecondFactor = route({
  method: 'POST',
  path: '/users/me/second-factor/remove',
  summary: 'Ends the second factor',
  description:
    'It needs the password and the present code. From then on a sign-in asks only for the password. Without a second factor ' +
    'the call succeeds as well. Failures count like failures of a sign-in. Who has lost the app uses a recovery code.',
  applications: sleepcare,
  auth: writeOwnAccount,
  signedInWithinSeconds: 600,
  uses: asOwnerUses,
  body: z.object(SignedInAgain),
  response: z.object({ enabled: z.literal(false) }),
  errors: asOwnerErrors,
});

export const issueRecoveryCodes = route({
  method: 'POST',
  path: '/auth/recovery-codes',
  summary: 'Ten recovery codes, for when the authenticator app is lost',
  description:
    'The answer shows them once: only their hashes are stored. A code has 28 characters, 140 bits, in groups of four, without the ' +
    'letters I, L, O and U. Earlier codes are no longer valid. The password is asked for again, and the present code where the account ' +
    'has an app; failures count like failures of a sign-in. The sign-in must be at most ten minutes old (403 `SIGN_IN_TOO_OLD`), and ' +
    'the user gets a mail.',
  applications: both,
  auth: writeOwnRecoveryCodes,
  signedInWithinSeconds: 600,
  uses: joined(asOwnerUses, [append(RecoveryCodes), append(AuditEvents)]),
  body: z.object(SignedInAgain),
  response: z.object({ codes: z.array(z.string()) }),
  errors: asOwnerErrors,
});
