import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  InvalidCredentials: {
    when: 'There is no such user with this password. The answer is the same for an unknown user, a wrong password and an account that is not confirmed.',
    client:
      'Ask for both again. Do not repeat automatically: after ten failures in 15 minutes the answer is `SIGN_IN_LOCKED`.',
  },
  AccountDisabled: {
    when: 'User name and password are correct, but an administrator has disabled the account, or it is about to be erased. Without the right password nobody gets this answer.',
    client: 'Say so, and refer the user to the support. A new password does not help.',
  },
  SignInLocked: {
    when:
      'Within 15 minutes, ten attempts from this IP address failed for this e-mail address or for this account. Wrong ' +
      'passwords and recovery codes count for the e-mail address. Wrong codes of the authenticator app and wrong values of ' +
      '`currentPassword` count for the account. The answer is the same for an account that does not exist. From another ' +
      'IP address the user can sign in. Or 20 codes of the authenticator app were wrong, whatever addresses they came from: then no ' +
      'code is taken from any address.',
    client:
      'Wait until `detail.lockedUntil`: each lock ends then. After wrong passwords, also offer to reset the password: ' +
      'this ends only the lock of the e-mail address. A lock after wrong codes or wrong values of `currentPassword` ' +
      'continues after a reset.',
    example: { lockedUntil: '2026-11-23T07:13:50.626Z' },
  },
  SessionNotFound: {
    when: 'The caller has no session with this id. A session of another user gives the same answer.',
    client: 'Read the list of sessions again.',
  },
  InvalidGrant: {
    when:
      'The refresh token, or the session of a sign-in that waits for its second factor, is unknown, or belongs to another ' +
      'application: then `detail` is null. Or the session was ended (`ended`), the password was replaced (`password-changed`), ' +
      'the time of the session is over (`expired`), or a refresh token was used again after its successor had been used (`reused`). Then somebody else may have a copy of it, so the session is ' +
      'ended, and the user gets a mail.',
    client:
      'Sign the user in again; the same request would fail again. Keep the refresh token for that sign-in only if `reason` is `expired`. Keep what the app has not sent yet, and ' +
      'send it after the sign-in. For `reused`, say that the session was ended for safety. For `password-changed`, say that the password ' +
      'was replaced, and what to do if it was somebody else.',
    example: { reason: 'expired' },
  },
  TotpRequired: {
    when: 'User name and password are correct, and the account has a second factor. The session lasts three minutes.',
    client: 'Ask for the code; send it with `detail.session` and `grantType` `totp`.',
    example: { session: 'AYABeC1-y8qooiuysEv0uM4wAqQ' },
  },
  TotpSetupRequired: {
    when:
      'User name and password are correct, and the account needs a second factor that it does not have yet. The session ' +
      'lasts three minutes.',
    client:
      'Show `detail.secret` (base32, for RFC 6238 with SHA-1, six digits and 30 seconds) as a QR code; send the first ' +
      'code with `detail.session` and `grantType` `totp_setup`. Do not store the secret.',
    example: { session: 'AYABeC1-y8qooiuysEv0uM4wAqQ', secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' },
  },
  TotpInvalid: {
    when: "The code is not the present one of the account's authenticator app, or it was used before.",
    client: 'Ask for the next code and repeat with the same session; after `INVALID_GRANT` begin the sign-in again.',
  },
  RecoveryCodeInvalid: {
    when: 'User name and password are correct. The recovery code is not an unused one of the latest codes.',
    client: 'Ask for another recovery code. After ten failures in 15 minutes the answer is `SIGN_IN_LOCKED`.',
  },
  ChallengeRequired: {
    when: 'User name and password are correct, but the account needs a step that this API does not offer: `detail.challenge` names it.',
    client:
      'With `NEW_PASSWORD_REQUIRED` the account still has its temporary password: ask for one of the user’s own and send both ' +
      '(`POST /auth/password/first`). Otherwise refer the user to the support.',
    example: { challenge: 'NEW_PASSWORD_REQUIRED' },
  },
};
