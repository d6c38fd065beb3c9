import { randomBytes } from 'node:crypto';
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
  GlobalSignOutCommand,
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

/** Nobody can sign in before a new one is chosen: this one, of 256 bits, is known to nobody. */
export async function endPassword(client: Client, UserPoolId: string, user: PoolUser) {
  // With each kind of character that a pool may ask for.
  await setPassword(client, UserPoolId, user, `Aa0-${randomBytes(32).toString('base64url')}`);
}

export async function endSessions(client: Client, UserPoolId: string, { username }: PoolUser) {
  await asked(() => client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username: username })));
}

/** Ends each session of whose token it is, also the one that got it. */
export async function signOut(client: Client, AccessToken: string): Promise<void> {
  // Refused: it is done already, and the answer was lost.
  await asked(() => client.send(new GlobalSignOutCommand({ AccessToken })), ['NotAuthorizedException']);
}

/** @param AccessToken of a sign-in with the current password @throws a Failure */
export async function changePassword(client: Client, AccessToken: string, from: string, to: string): Promise<void> {
  const command = new ChangePasswordCommand({ AccessToken, PreviousPassword: from, ProposedPassword: to });
  // Refused: somebody else has changed the password meanwhile, or ended all sign-ins.
  const overtaken = { NotAuthorizedException: PasswordWrong, UserNotFoundException: UserNotFound };
  await asked(() => client.send(command), [], { ...weak, ...overtaken });
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

type Declared =
  | typeof PasswordRejected
  | typeof PasswordWrong
  | typeof SecondFactorInvalid
  | typeof UserNotFound
  | typeof Unauthenticated;

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
    if (declared === PasswordRejected) throw new Failure(declared, { reason: 'policy' });
    if (declared) throw new Failure(declared);
    if (isUnavailable(error) || busy.includes(error.name)) throw new Failure(Unavailable);
    throw '$fault' in error ? new UserPoolFailure(error.name) : error;
  }
}
