import type { Pending } from './session.ts';

/** What a user pool's answer means for who signs in. Pure: the answer goes in, what to do comes out. */

/** As Cognito has it, with what is not needed left out. */
export type PoolAnswer = {
  AuthenticationResult?: { AccessToken?: string; RefreshToken?: string; ExpiresIn?: number } | undefined;
  ChallengeName?: string | undefined;
  Session?: string | undefined;
  ChallengeParameters?: Readonly<Record<string, string>> | undefined;
};

export type Tokens = { accessToken: string; tokenType: 'Bearer'; expiresIn: number; refreshToken: string };

export type SignIn =
  | { outcome: 'tokens'; tokens: Tokens }
  | { outcome: 'totp'; pending: Pending }
  | { outcome: 'totp-setup'; pending: Pending }
  /** The password was right and is a temporary one. */
  | { outcome: 'new-password'; pending: Pending }
  | { outcome: 'challenge'; challenge: string };

export const newPasswordRequired = 'NEW_PASSWORD_REQUIRED';

/** Or the pool refused the name, the password, the session or the token; the answer must not say which. */
export type Refusal = {
  /** `disabled`: the password, the code or the token was right. */
  outcome: 'refused' | 'wrong-code' | 'disabled';
  /** The name of the pool's exception, for the log alone. */
  why?: string;
};

/** @param spent the refresh token that was sent: the pool does not rotate, so it goes on */
export function signInOf(answer: PoolAnswer, spent?: string): SignIn {
  const { AuthenticationResult: result, ChallengeName, Session: session, ChallengeParameters = {} } = answer;
  const { AccessToken: accessToken, ExpiresIn: expiresIn, RefreshToken: refreshToken = spent } = result ?? {};
  if (accessToken && refreshToken && expiresIn !== undefined) {
    return { outcome: 'tokens', tokens: { accessToken, tokenType: 'Bearer', expiresIn, refreshToken } };
  }
  const { USER_ID_FOR_SRP: username } = ChallengeParameters;
  const pending = username && session ? { username, session } : null;
  if (ChallengeName === 'SOFTWARE_TOKEN_MFA' && pending) return { outcome: 'totp', pending };
  if (ChallengeName === 'MFA_SETUP' && pending) return { outcome: 'totp-setup', pending };
  if (ChallengeName === newPasswordRequired && pending) return { outcome: 'new-password', pending };
  if (ChallengeName) return { outcome: 'challenge', challenge: ChallengeName };
  throw new Error('the user pool answered neither tokens nor a challenge');
}

const noes: Readonly<Record<string, Refusal['outcome']>> = {
  NotAuthorizedException: 'refused',
  UserNotFoundException: 'refused',
  // Said before the password is looked at: to tell it would tell that the user exists.
  UserNotConfirmedException: 'refused',
  PasswordResetRequiredException: 'refused',
  // The authenticator app was taken from the user in the midst of the sign-in.
  SoftwareTokenMFANotFoundException: 'refused',
  MFAMethodNotFoundException: 'refused',
  CodeMismatchException: 'wrong-code',
  // "Your software token has already been used once."
  ExpiredCodeException: 'wrong-code',
  // VerifySoftwareToken's word for a code that does not match.
  EnableSoftwareTokenMFAException: 'wrong-code',
};

/**
 * Cognito says it in words only, and after a wrong password it says that the password is wrong (`PreventUserExistenceErrors`):
 * https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-managing-errors.html
 */
const disabled = 'User is disabled.';

/** @param error the name of an exception, and what it says. @returns null for one that is no answer to a sign-in */
export function refusalOf(error: string, says = ''): Refusal | null {
  if (error === 'NotAuthorizedException' && says === disabled) return { outcome: 'disabled' };
  const outcome = Object.hasOwn(noes, error) ? noes[error] : undefined;
  return outcome ? { outcome } : null;
}

/** Ends of a token that Cognito does not know, or that is none: to revoke it is done already (RFC 7009 section 2.2). */
export const notToBeRevoked: readonly string[] = [
  'NotAuthorizedException',
  'UnauthorizedException',
  'UnsupportedTokenTypeException',
  'InvalidParameterException',
];
