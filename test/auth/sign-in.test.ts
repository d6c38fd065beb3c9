import { describe, expect, test } from 'vitest';
import { refusalOf, signInOf } from '../../functions/auth/rules/sign-in.ts';

const result = { AccessToken: 'a', RefreshToken: 'r', ExpiresIn: 900 };
const ChallengeParameters = { USER_ID_FOR_SRP: 'u' };
const pending = { username: 'u', session: 's' };
const tokens = { accessToken: 'a', tokenType: 'Bearer', expiresIn: 900, refreshToken: 'r' };

describe('what a user pool answers', () => {
  test.each([
    ['tokens', { AuthenticationResult: result }, { outcome: 'tokens', tokens }],
    [
      'a second factor',
      { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: 's', ChallengeParameters },
      { outcome: 'totp', pending },
    ],
    [
      'its set-up',
      { ChallengeName: 'MFA_SETUP', Session: 's', ChallengeParameters },
      { outcome: 'totp-setup', pending },
    ],
    [
      'a temporary password',
      { ChallengeName: 'NEW_PASSWORD_REQUIRED', Session: 's', ChallengeParameters },
      { outcome: 'new-password', pending },
    ],
    [
      'a temporary password of nobody who is named',
      { ChallengeName: 'NEW_PASSWORD_REQUIRED', Session: 's' },
      { outcome: 'challenge', challenge: 'NEW_PASSWORD_REQUIRED' },
    ],
  ])('%s', (_name, answer, expected) => {
    expect(signInOf(answer)).toEqual(expected);
  });

  test('without rotation the refresh token stays valid', () => {
    const { RefreshToken: _replaced, ...kept } = result;
    expect(signInOf({ AuthenticationResult: kept }, 'r')).toEqual({ outcome: 'tokens', tokens });
  });

  test('neither is a defect', () => {
    expect(() => signInOf({})).toThrow('neither tokens nor a challenge');
  });
});

test.each([
  ['NotAuthorizedException', { outcome: 'refused' }],
  ['UserNotFoundException', { outcome: 'refused' }],
  ['PasswordResetRequiredException', { outcome: 'refused' }],
  ['SoftwareTokenMFANotFoundException', { outcome: 'refused' }],
  ['MFAMethodNotFoundException', { outcome: 'refused' }],
  ['CodeMismatchException', { outcome: 'wrong-code' }],
  ['ExpiredCodeException', { outcome: 'wrong-code' }],
  ['EnableSoftwareTokenMFAException', { outcome: 'wrong-code' }],
  ['InvalidParameterException', null],
  ['AccessDeniedException', null],
  ['TooManyRequestsException', null],
  ['constructor', null],
])('%s', (error, expected) => {
  expect(refusalOf(error)).toEqual(expected);
});
