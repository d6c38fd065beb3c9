import { randomBytes } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminDeleteSoftwareTokenCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { Failure, isUnavailable } from '../../../lib/runtime/failure.ts';
import { UserPoolFailure } from '../../../lib/runtime/user-pool-failure.ts';

/**
 * The user pool of the staff follows the rows: it decides who can sign in, and never what they may do. Every function throws a Failure
 * `UNAVAILABLE` if the pool throttles or is down.
 */

export type Pool = { readonly client: CognitoIdentityProviderClient; readonly id: string };

export type PoolAccount = {
  readonly userId: string;
  readonly email: string | null;
  readonly isEnabled: boolean;
  /** True if the user has chosen no password yet. */
  readonly isNew: boolean;
};

/** Cognito's own errors for throttling, in addition to those of every dependency. */
const busy = ['LimitExceededException', 'ConcurrentModificationException'];

type Attributes = readonly { Name?: string | undefined; Value?: string | undefined }[];

/** Finds a user by id or address; null if the pool has no such user. */
export async function findAccount({ client, id }: Pool, Username: string): Promise<PoolAccount | null> {
  const found = await asked(() => client.send(new AdminGetUserCommand({ UserPoolId: id, Username })));
  if (!found) return null;
  const { UserAttributes = [], Enabled, UserStatus } = found;
  return {
    userId: attributeOf(UserAttributes, 'sub') ?? Username,
    email: attributeOf(UserAttributes, 'email'),
    isEnabled: Enabled !== false,
    isNew: UserStatus === 'FORCE_CHANGE_PASSWORD',
  };
}

/** Creates a user with this address and without a password; null if the address already has an account. */
export async function createAccount({ client, id }: Pool, email: string): Promise<string | null> {
  const command = new AdminCreateUserCommand({
    UserPoolId: id,
    Username: email,
    MessageAction: 'SUPPRESS',
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
    ],
  });
  const made = await asked(() => client.send(command), 'UsernameExistsException');
  return attributeOf(made?.User?.Attributes ?? [], 'sub');
}

/** Allows or refuses sign-in, if it is otherwise. Does nothing for a user who is not in the pool. */
export async function makeSo(pool: Pool, { userId, isEnabled }: Pick<PoolAccount, 'userId' | 'isEnabled'>) {
  const found = await findAccount(pool, userId);
  if (!found || found.isEnabled === isEnabled) return;
  const user = { UserPoolId: pool.id, Username: userId };
  const command = isEnabled ? new AdminEnableUserCommand(user) : new AdminDisableUserCommand(user);
  await asked(() => pool.client.send(command));
}

/** From then on no session of the user can be renewed. */
export async function signOut({ client, id }: Pool, Username: string): Promise<void> {
  await asked(() => client.send(new AdminUserGlobalSignOutCommand({ UserPoolId: id, Username })));
}

/**
 * Removes the user's authenticator app. If the pool requires a second factor, the next sign-in sets up a new one:
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminDeleteSoftwareToken.html
 */
export async function deleteSecondFactor({ client, id }: Pool, Username: string): Promise<void> {
  const user = { UserPoolId: id, Username };
  if (await asked(() => client.send(new AdminDeleteSoftwareTokenCommand(user)), ...withoutApp)) return;
  const found = await asked(() => client.send(new AdminGetUserCommand(user)));
  if ((found?.UserMFASettingList ?? []).length > 0) throw new UserPoolFailure('SecondFactorKept');
}

/** What Cognito may answer for a user without an app, or without a password. Cognito documents no error for the first case. */
const withoutApp = [
  'SoftwareTokenMFANotFoundException',
  'InvalidParameterException',
  'UserNotConfirmedException',
] as const;

/** One that signs nobody in: it can only be exchanged for a password that the user chooses, within a day. */
export async function setTemporaryPassword({ client, id }: Pool, Username: string, Password: string): Promise<void> {
  const command = new AdminSetUserPasswordCommand({ UserPoolId: id, Username, Password, Permanent: false });
  await asked(() => client.send(command));
}

/** Replaces the user's password with one that nobody knows. */
export async function voidPassword(pool: Pool, Username: string): Promise<void> {
  await setTemporaryPassword(pool, Username, `Aa0-${randomBytes(32).toString('base64url')}`);
}

function attributeOf(attributes: Attributes, name: string): string | null {
  return attributes.find(({ Name }) => Name === name)?.Value ?? null;
}

/** @param alsoNone exceptions that also mean that there is nothing, like the exception for an unknown user */
async function asked<T>(ask: () => Promise<T>, ...alsoNone: readonly string[]): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'UserNotFoundException' || alsoNone.includes(error.name)) return null;
    if (isUnavailable(error) || busy.includes(error.name)) throw new Failure(Unavailable);
    throw '$fault' in error ? new UserPoolFailure(error.name) : error;
  }
}
