import {
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminUserGlobalSignOutCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { Failure, isUnavailable } from '../../../lib/runtime/failure.ts';
import { UserPoolFailure } from '../../../lib/runtime/user-pool-failure.ts';

/**
 * The application's user pool. The `sub` names a user as the user name does:
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminDisableUser.html
 * A user that the pool does not know, or no longer knows, cannot sign in, like a disabled user.
 */

type Client = CognitoIdentityProviderClient;

/** After this, no renewal gives a token for an earlier session. A user who signs in again has a new session. */
export async function signOutEverywhere(client: Client, UserPoolId: string, Username: string): Promise<void> {
  await done(Username, () => client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username })));
}

/**
 * After this, no sign-in and no renewal gives a token. It disables the user first; otherwise a sign-in could follow the
 * sign-out.
 */
export async function closeSignIn(client: Client, UserPoolId: string, Username: string): Promise<void> {
  await done(Username, () => client.send(new AdminDisableUserCommand({ UserPoolId, Username })));
  await signOutEverywhere(client, UserPoolId, Username);
}

export async function deletePoolUser(client: Client, UserPoolId: string, Username: string): Promise<void> {
  await done(Username, () => client.send(new AdminDeleteUserCommand({ UserPoolId, Username })));
}

/**
 * Cognito takes an address for the id, too, and an id in capital letters: whoever may ask for erasures could name somebody so, past the
 * hold and the account.
 */
async function done(Username: string, send: () => Promise<unknown>): Promise<void> {
  if (Username.includes('@') || Username !== Username.toLowerCase()) return;
  try {
    await send();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'UserNotFoundException') return;
    if (isUnavailable(error) || error.name === 'LimitExceededException') throw new Failure(Unavailable);
    throw '$fault' in error ? new UserPoolFailure(error.name) : error;
  }
}
