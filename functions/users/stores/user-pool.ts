import { AdminGetUserCommand, type CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { newUser, type PoolUser, type User } from '../rules/profile.ts';

type Sight = { caller: { userId: string; username: string }; application: string; now: Date };

/** The user of a token that is seen for the first time. An access token says no more of its user than two random ids. */
export async function introduce(
  client: CognitoIdentityProviderClient,
  userPoolId: string,
  { caller: { userId, username }, application, now }: Sight,
): Promise<User> {
  return newUser({ userId, application, now }, await readPoolUser(client, userPoolId, username));
}

/** Whether the user pool has a user of this id, which is the pool's `sub`. A name that is not it names nobody. */
export async function isInPool(
  client: CognitoIdentityProviderClient,
  userPoolId: string,
  userId: string,
): Promise<boolean> {
  const found = await findInPool(client, userPoolId, userId);
  return found?.UserAttributes?.some(({ Name, Value }) => Name === 'sub' && Value === userId) === true;
}

/** What the user pool knows of a user; null where it knows none of that name. */
export async function readPoolUser(
  client: CognitoIdentityProviderClient,
  userPoolId: string,
  username: string,
): Promise<PoolUser | null> {
  const found = await findInPool(client, userPoolId, username);
  if (!found) return null;
  const email = found.UserAttributes?.find(({ Name }) => Name === 'email')?.Value;
  return { username: found.Username ?? username, email: email ?? null };
}

async function findInPool(client: CognitoIdentityProviderClient, UserPoolId: string, Username: string) {
  try {
    return await client.send(new AdminGetUserCommand({ UserPoolId, Username }));
  } catch (error) {
    if (error instanceof Error && error.name === 'UserNotFoundException') return null;
    throw error;
  }
}
