import {
  AdminDeleteSoftwareTokenCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  AdminRespondToAuthChallengeCommand,
  AdminUserGlobalSignOutCommand,
  AssociateSoftwareTokenCommand,
  type CognitoIdentityProviderClient,
  GetTokensFromRefreshTokenCommand,
  RevokeTokenCommand,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import type { UserPool } from '../../../lib/runtime/environment.ts';
import { Failure, isUnavailable } from '../../../lib/runtime/failure.ts';
import { UserPoolFailure } from '../../../lib/runtime/user-pool-failure.ts';
import type { Pending } from '../rules/session.ts';
import {
  newPasswordRequired,
  notToBeRevoked,
  type Refusal,
  refusalOf,
  type SignIn,
  signInOf,
} from '../rules/sign-in.ts';

/** The application's Cognito user pool. Every function throws a Failure `UNAVAILABLE` where it throttles or is down. */

/**
 * What Cognito says of a token or session that is none by its form. In a sign-in by password the same exception is about
 * the client's settings, and a defect.
 */
const unreadable = ['InvalidParameterException'];

/** Cognito's words for being too busy, beyond those that every dependency has. */
const busy = ['LimitExceededException', 'ConcurrentModificationException'];

/** The function that Cognito calls before it signs a token has failed: nobody is refused by that, and nobody gets a token. */
const withoutTrigger = ['UnexpectedLambdaException', 'UserLambdaValidationException', 'InvalidLambdaResponseException'];

type Client = CognitoIdentityProviderClient;
type Second = { pending: Pending; code: string };

export async function signIn(
  client: Client,
  { id, clientId }: UserPool,
  { username, password }: { username: string; password: string },
): Promise<SignIn | Refusal> {
  const command = new AdminInitiateAuthCommand({
    UserPoolId: id,
    ClientId: clientId,
    AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: username, PASSWORD: password },
  });
  return answered(async () => signInOf(await client.send(command)));
}

export async function renew(client: Client, { clientId }: UserPool, token: string): Promise<SignIn | Refusal> {
  const command = new GetTokensFromRefreshTokenCommand({ ClientId: clientId, RefreshToken: token });
  return answered(async () => signInOf(await client.send(command), token));
}

export async function revoke(client: Client, { clientId }: UserPool, token: string): Promise<void> {
  const command = new RevokeTokenCommand({ ClientId: clientId, Token: token });
  await answered(async () => {
    await client.send(command);
    return { outcome: 'refused' } as const;
  }, notToBeRevoked);
}

/** The `sub` of the user of that name; null where there is none. */
export async function subjectOf(client: Client, { id }: UserPool, Username: string): Promise<string | null> {
  const found = await answered(async () => {
    const { UserAttributes = [] } = await client.send(new AdminGetUserCommand({ UserPoolId: id, Username }));
    return { outcome: 'found', sub: UserAttributes.find(({ Name }) => Name === 'sub')?.Value ?? null } as const;
  });
  return found.outcome === 'found' ? found.sub : null;
}

/** The authenticator app counts no more. A success where there is none. */
export async function removeSecondFactor(client: Client, { id }: UserPool, Username: string): Promise<void> {
  await answered(async () => {
    await client.send(new AdminDeleteSoftwareTokenCommand({ UserPoolId: id, Username }));
    return { outcome: 'refused' } as const;
  });
}

/** For a missing user there is nothing to sign out. @param Username the `sub`, which names a user as the user name does */
export async function signOutEverywhere(client: Client, { id }: UserPool, Username: string): Promise<void> {
  await answered(async () => {
    await client.send(new AdminUserGlobalSignOutCommand({ UserPoolId: id, Username }));
    return { outcome: 'refused' } as const;
  });
}

/** @param client one that tries once: Cognito takes a code once, and would call its repetition wrong */
export async function sendCode(
  client: Client,
  { id, clientId }: UserPool,
  { pending: { username, session }, code }: Second,
): Promise<SignIn | Refusal> {
  const command = new AdminRespondToAuthChallengeCommand({
    UserPoolId: id,
    ClientId: clientId,
    ChallengeName: 'SOFTWARE_TOKEN_MFA',
    Session: session,
    ChallengeResponses: { USERNAME: username, SOFTWARE_TOKEN_MFA_CODE: code },
  });
  return answered(async () => signInOf(await client.send(command)), unreadable);
}

/** What Cognito says of a password that its policy refuses. */
const unfit = ['InvalidPasswordException', 'PasswordHistoryPolicyViolationException'];

/**
 * The password that takes the place of a temporary one. The sign-in goes on with what the pool asks for next.
 *
 * @param client one that tries once: the session is used up by the first answer
 */
export async function answerNewPassword(
  client: Client,
  { id, clientId }: UserPool,
  { username, session }: Pending,
  password: string,
): Promise<SignIn | Refusal | { outcome: 'unfit' }> {
  const command = new AdminRespondToAuthChallengeCommand({
    UserPoolId: id,
    ClientId: clientId,
    ChallengeName: newPasswordRequired,
    Session: session,
    ChallengeResponses: { USERNAME: username, NEW_PASSWORD: password },
  });
  return answered(async () => {
    try {
      return signInOf(await client.send(command));
    } catch (error) {
      if (error instanceof Error && unfit.includes(error.name)) return { outcome: 'unfit' } as const;
      throw error;
    }
  });
}

/** The secret of a new authenticator app, to be shown once, and the session in which its first code is expected. */
export async function beginSetUp(client: Client, { username, session }: Pending) {
  const command = new AssociateSoftwareTokenCommand({ Session: session });
  return answered(async () => {
    const { SecretCode: secret, Session: next } = await client.send(command);
    if (!secret || !next) throw new Error('the user pool answered no secret');
    return { outcome: 'secret', secret, pending: { username, session: next } } as const;
  });
}

/**
 * The first code of a new authenticator app: proves it, and goes on with the sign-in.
 * @param client one that tries once, as for `sendCode`
 */
export async function finishSetUp(
  client: Client,
  { id, clientId }: UserPool,
  { pending: { username, session }, code }: Second,
): Promise<SignIn | Refusal> {
  return answered(async () => {
    const verified = await client.send(new VerifySoftwareTokenCommand({ Session: session, UserCode: code }));
    const command = new AdminRespondToAuthChallengeCommand({
      UserPoolId: id,
      ClientId: clientId,
      ChallengeName: 'MFA_SETUP',
      Session: verified.Session,
      ChallengeResponses: { USERNAME: username },
    });
    return signInOf(await client.send(command));
  }, unreadable);
}

/** @param alsoRefusals exceptions that are a no to this very call, beyond those that are one to each */
async function answered<T>(ask: () => Promise<T>, alsoRefusals: readonly string[] = []): Promise<T | Refusal> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const refusal = alsoRefusals.includes(error.name)
      ? { outcome: 'refused' as const }
      : refusalOf(error.name, error.message);
    if (refusal) return { ...refusal, why: error.name };
    if (isUnavailable(error) || [...busy, ...withoutTrigger].includes(error.name)) throw new Failure(Unavailable);
    throw '$fault' in error ? new UserPoolFailure(error.name) : error;
  }
}
