import {
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminUserGlobalSignOutCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { Failure, isUnavailable } from '../../../lib/runtime/failure.ts';
import { UserPoolFailure } from '../../../lib/runtime/user-pool-failure.ts';

/** The user pool of the sleep-care app. Every function throws a Failure `UNAVAILABLE` where it throttles or is down. */

type Client = CognitoIdentityProviderClient;

export async function enable(client: Client, UserPoolId: string, Username: string): Promise<void> {
  await inPool(() => client.send(new AdminEnableUserCommand({ UserPoolId, Username })));
}

/** Disabled first: else a sign-in could follow the sign-out. */
export async function disable(client: Client, UserPoolId: string, Username: string): Promise<void> {
  await inPool(() => client.send(new AdminDisableUserCommand({ UserPoolId, Username })));
  await endSessions(client, UserPoolId, Username);
}

export async function endSessions(client: Client, UserPoolId: string, Username: string): Promise<void> {
  await inPool(() => client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username })));
}

/** A user that the pool does not know (the local stage makes such users) cannot sign in, like a disabled user. */
async function inPool(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'UserNotFoundException') return;
    if (isUnavailable(error) || error.name === 'LimitExceededException') throw new Failure(Unavailable);
    throw '$fault' in error ? new UserPoolFailure(error.name) : error;
  }
}
