import { type Find, type Operation, ownerOf, text, userIn } from './call.ts';
import type { User } from './directory.ts';
import { failure, invalid, notAuthorized } from './failures.ts';
import { newSecret, stepOf } from './totp.ts';

/** The authenticator app: https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-mfa-totp.html */

/**
 * Secrets that were shown to a signed-in user and are not proved yet. Kept in memory, because a set-up takes minutes.
 */
const shown = new WeakMap<User, string>();

export const softwareToken: Readonly<Record<string, Operation>> = {
  async AssociateSoftwareToken(cognito, input) {
    const SecretCode = newSecret();
    if (input.AccessToken !== undefined) {
      const { user } = await ownerOf(cognito, input);
      shown.set(user, SecretCode);
      return { SecretCode };
    }
    const session = text(input, 'Session', { minimum: 20 });
    const pending = cognito.sessions.read(session);
    if (pending.challenge !== 'MFA_SETUP') throw notAuthorized('Invalid session for the user.');
    cognito.sessions.end(session);
    return { SecretCode, Session: cognito.sessions.begin({ ...pending, secret: SecretCode }) };
  },

  async VerifySoftwareToken(cognito, input) {
    const code = text(input, 'UserCode');
    if (input.AccessToken !== undefined) {
      const { pool, user } = await ownerOf(cognito, input);
      const secret = shown.get(user);
      if (!secret)
        throw failure('SoftwareTokenMFANotFoundException', 'Software Token MFA does not exist for the user.');
      prove(user, secret, code, cognito.now());
      shown.delete(user);
      cognito.directory.save(pool.id);
      return { Status: 'SUCCESS' };
    }
    const session = text(input, 'Session', { minimum: 20 });
    const pending = cognito.sessions.read(session);
    const { users } = cognito.directory.of(pending.poolId);
    const user = users.get(pending.sub);
    if (!user || !pending.secret) throw notAuthorized('Invalid session for the user.');
    prove(user, pending.secret, code, cognito.now());
    user.wantsTotp = true;
    cognito.sessions.end(session);
    cognito.directory.save(pending.poolId);
    return { Status: 'SUCCESS', Session: cognito.sessions.begin({ ...pending, isProved: true }) };
  },

  /**
   * Deletes the registration and the preference. The next sign-in is like that of a user without an app:
   * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminDeleteSoftwareToken.html
   * AWS does not document the answer if no app is registered; here the call succeeds.
   */
  async AdminDeleteSoftwareToken(cognito, input) {
    const { pool, user } = await userIn(cognito, input);
    user.totp = null;
    user.wantsTotp = false;
    shown.delete(user);
    cognito.directory.save(pool.id);
    return {};
  },

  AdminSetUserMFAPreference: preferring(userIn),
  SetUserMFAPreference: preferring(ownerOf),
};

function preferring(find: Find): Operation {
  return async (cognito, input) => {
    const { pool, user } = await find(cognito, input);
    const { Enabled } = (input.SoftwareTokenMfaSettings ?? {}) as { Enabled?: boolean };
    if (Enabled && !user.totp) {
      throw invalid('User does not have delivery config set to turn on SOFTWARE_TOKEN_MFA');
    }
    // "You can't turn off TOTP MFA for any of your users when MFA is required in your user pool":
    // https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_SoftwareTokenMfaSettingsType.html
    user.wantsTotp = Enabled === true || (pool.secondFactor === 'ON' && user.totp !== null);
    cognito.directory.save(pool.id);
    return {};
  };
}

function prove(user: User, secret: string, code: string, now: number): void {
  const step = stepOf(secret, code, now);
  if (step === null) throw failure('EnableSoftwareTokenMFAException', 'Code mismatch');
  user.totp = { secret, lastStep: step };
}

/** Accepts each code once. @throws CodeMismatchException or, for a used code, ExpiredCodeException */
export function useCode(user: User, code: string, now: number): void {
  const step = user.totp && stepOf(user.totp.secret, code, now);
  if (!user.totp || step === null) throw failure('CodeMismatchException', 'Invalid code received for user');
  if (step <= user.totp.lastStep) {
    throw failure('ExpiredCodeException', 'Your software token has already been used once.');
  }
  user.totp.lastStep = step;
}
