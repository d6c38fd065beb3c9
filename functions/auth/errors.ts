import * as z from 'zod/mini';
import { error } from '../../lib/contract/errors.ts';
import { Timestamp } from '../../lib/contract/fields.ts';

export const InvalidCredentials = error({
  code: 'INVALID_CREDENTIALS',
  status: 401,
  message: 'The user name or the password is wrong.',
});

export const AccountDisabled = error({
  code: 'ACCOUNT_DISABLED',
  status: 401,
  message: 'The account cannot be signed in to: it was disabled, or its deletion has begun.',
});

export const InvalidGrant = error({
  code: 'INVALID_GRANT',
  status: 401,
  message: 'The refresh token or the session of a sign-in is not valid, or has ended.',
  detail: () => z.nullable(z.object({ reason: z.enum(['ended', 'expired', 'reused', 'password-changed']) })),
});

export const SignInLocked = error({
  code: 'SIGN_IN_LOCKED',
  status: 429,
  message: 'Too many sign-ins failed for this account.',
  retryAfter: 900,
  detail: () => z.object({ lockedUntil: Timestamp }),
});

export const SessionNotFound = error({
  code: 'SESSION_NOT_FOUND',
  status: 404,
  message: 'The caller has no such session.',
});

export const TotpRequired = error({
  code: 'TOTP_REQUIRED',
  status: 401,
  message: 'The sign-in continues with a code of the authenticator app.',
  detail: () => z.object({ session: z.string() }),
});

export const TotpSetupRequired = error({
  code: 'TOTP_SETUP_REQUIRED',
  status: 401,
  message: 'The sign-in continues with the set-up of an authenticator app.',
  detail: () => z.object({ session: z.string(), secret: z.string() }),
});

export const TotpInvalid = error({
  code: 'TOTP_INVALID',
  status: 401,
  message: 'The code is not the present code of the authenticator app, or was used before.',
});

export const RecoveryCodeInvalid = error({
  code: 'RECOVERY_CODE_INVALID',
  status: 401,
  message: 'The recovery code is wrong, was used before, or was replaced by newer codes.',
});

export const ChallengeRequired = error({
  code: 'CHALLENGE_REQUIRED',
  status: 401,
  message: 'The account is in a state in which it cannot sign in here.',
  detail: () => z.object({ challenge: z.string() }),
});
