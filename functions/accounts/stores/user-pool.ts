import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminSetUserPasswordCommand,
  AdminUpdateUserAttributesCommand,
  AdminUserGlobalSignOutCommand,
  AssociateSoftwareTokenCommand,
  type AttributeType,
  ChangePasswordCommand,
  type CognitoIdentityProviderClient,
  GetUserCommand,
  SetUserMFAPreferenceCommand,
  type UserStatusType,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { Unauthenticated, Unavailable } from '../../../lib/contract/common-errors.ts';
import { Failure, isUnavailable } from '../../../lib/runtime/failure.ts';
import { UserPoolFailure } from '../../../lib/runtime/user-pool-failure.ts';
import { UserNotFound } from '../../users/errors.ts';
import { PasswordRejected, PasswordWrong, SecondFactorInvalid } from '../errors.ts';

/** What accounts need of the user pool. Every function throws a Failure: a declared one, or `UNAVAILABLE`. */

type Client = CognitoIdentityProviderClient;
export type PoolUser = {
  readonly userId: string;
  readonly username: string;
  /** One that the user has chosen. */
  readonly hasPassword: boolean;
};

const busy = ['LimitExceededException', 'ConcurrentModificationException'];
const weak = { InvalidPasswordException: PasswordRejected, PasswordHistoryPolicyViolationException: PasswordRejected };

/**
 * Makes the user with that address, or returns the existing one. The caller has proved the address. Nobody can sign in before
 * `setPassword`, so a crash between the two does no harm.
 */
export async function enrol(client: Client, UserPoolId: string, email: string, group: string): Promise<PoolUser> {
  const made = await create(client, UserPoolId, email);
  const user = made ?? (await find(client, UserPoolId, email));
  if (!user) throw new Failure(Unavailable);
  await asked(() =>
    client.send(new AdminAddUserToGroupCommand({ UserPoolId, Username: user.username, GroupName: group })),
  );
  return user;
}

/** @returns null where there is one */
async function create(client: Client, UserPoolId: string, email: string): Promise<PoolUser | null> {
  const command = new AdminCreateUserCommand({
    UserPoolId,
    Username: email,
    MessageAction: 'SUPPRESS',
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
    ],
  });
  const answer = await asked(() => client.send(command), ['UsernameExistsException']);
  return answer && poolUser(answer.User?.Username, answer.User?.UserStatus, answer.User?.Attributes);
}

/** @returns null where nobody has the address */
export async function find(client: Client, UserPoolId: string, email: string): Promise<PoolUser | null> {
  const answer = await asked(
    () => client.send(new AdminGetUserCommand({ UserPoolId, Username: email })),
    ['UserNotFoundException'],
  );
  return answer && poolUser(answer.Username, answer.UserStatus, answer.UserAttributes);
}

function poolUser(
  username: string | undefined,
  status: UserStatusType | undefined,
  attributes: AttributeType[] = [],
): PoolUser {
  const userId = attributes.find(({ Name }) => Name === 'sub')?.Value;
  if (!userId || !username) throw new UserPoolFailure('NoSubject');
  return { userId, username, hasPassword: status !== 'FORCE_CHANGE_PASSWORD' };
}

export async function setPassword(client: Client, UserPoolId: string, { username }: PoolUser, Password: string) {
  const command = new AdminSetUserPasswordCommand({ UserPoolId, Username: username, Password, Permanent: true });
  await asked(() => client.send(command), [], weak);
}

export async function endSessions(client: Client, UserPoolId: string, { username }: PoolUser) {
  await asked(() => client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username: username })));
}

type Passwords = { readonly currentPassword: string; readonly password: string };
type Replaced = { readonly outcome: 'changed' } | { readonly outcome: 'refused'; readonly error: unknown };

/**
 * Where `password` is the one already, this is the same request again, after a crash or a second click: it goes on. Cognito is asked by
 * the change of it to itself.
 *
 * @returns `refused` with the error to answer, once Cognito has compared the password and found it wrong
 * @throws a Failure where no password was compared
 */
export async function replacePassword(client: Client, AccessToken: string, wanted: Passwords): Promise<Replaced> {
  if (await replaced(client, AccessToken, wanted)) return { outcome: 'changed' };
  const { password } = wanted;
  try {
    if (await replaced(client, AccessToken, { currentPassword: password, password })) return { outcome: 'changed' };
    await assertAccepted(client, AccessToken);
  } catch (error) {
    if (error instanceof Failure && error.code !== 'UNAVAILABLE') throw error;
    // A guess whose second call fails is a guess: else one that meets Cognito's own limit would not be counted.
    return { outcome: 'refused', error };
  }
  return { outcome: 'refused', error: new Failure(PasswordWrong) };
}

/**
 * The same exception stands for a wrong password and for a token whose session has ended. Only the latter can read no account, either:
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_GlobalSignOut.html
 */
async function assertAccepted(client: Client, AccessToken: string): Promise<void> {
  await asked(() => client.send(new GetUserCommand({ AccessToken })), [], gone);
}

/** @returns false where another password is the current one */
async function replaced(client: Client, AccessToken: string, { currentPassword, password }: Passwords) {
  const command = new ChangePasswordCommand({
    AccessToken,
    PreviousPassword: currentPassword,
    ProposedPassword: password,
  });
  const failures = { ...weak, UserNotFoundException: UserNotFound };
  return (await asked(() => client.send(command), ['NotAuthorizedException'], failures)) !== null;
}

/** @returns false where another account has the address meanwhile */
export async function setEmail(client: Client, UserPoolId: string, username: string, email: string): Promise<boolean> {
  const command = new AdminUpdateUserAttributesCommand({
    UserPoolId,
    Username: username,
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
    ],
  });
  return (await asked(() => client.send(command), ['AliasExistsException', 'UserNotFoundException'])) !== null;
}

export async function beginSetUp(client: Client, AccessToken: string): Promise<string> {
  const { SecretCode } =
    (await asked(() => client.send(new AssociateSoftwareTokenCommand({ AccessToken })), [], gone)) ?? {};
  if (!SecretCode) throw new UserPoolFailure('NoSecret');
  return SecretCode;
}

/** The token's session has ended or its user is disabled; the user was deleted. */
const gone = { NotAuthorizedException: Unauthenticated, UserNotFoundException: UserNotFound };

const wrongCode = {
  EnableSoftwareTokenMFAException: SecondFactorInvalid,
  CodeMismatchException: SecondFactorInvalid,
  SoftwareTokenMFANotFoundException: SecondFactorInvalid,
  ...gone,
};

/**
 * The app has proved itself; no sign-in asks for it before `prefer`.
 *
 * @param client one that tries once: a code that was taken is wrong when it comes again
 */
export async function finishSetUp(client: Client, AccessToken: string, UserCode: string): Promise<void> {
  const proved = await asked(
    () => client.send(new VerifySoftwareTokenCommand({ AccessToken, UserCode })),
    [],
    wrongCode,
  );
  if (proved?.Status !== 'SUCCESS') throw new Failure(SecondFactorInvalid);
}

export async function prefer(client: Client, AccessToken: string, isWanted: boolean): Promise<void> {
  const command = new SetUserMFAPreferenceCommand({
    AccessToken,
    SoftwareTokenMfaSettings: { Enabled: isWanted, PreferredMfa: isWanted },
  });
  await asked(() => client.send(command), [], gone);
}

type Declared = typeof PasswordRejected | typeof SecondFactorInvalid | typeof UserNotFound | typeof Unauthenticated;

/**
 * @param nulls exceptions that are an answer: null
 * @param failures exceptions that are a declared error.
 */
async function asked<T>(
  ask: () => Promise<T>,
  nulls: readonly string[] = [],
  failures: Readonly<Record<string, Declared>> = {},
): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (nulls.includes(error.name)) return null;
    const declared = Object.hasOwn(failures, error.name) ? failures[error.name] : undefined;
    if (declared) throw new Failure(declared);
    if (isUnavailable(error) || busy.includes(error.name)) throw new Failure(Unavailable);
    throw '$fault' in error ? new UserPoolFailure(error.name) : error;
  }
}
