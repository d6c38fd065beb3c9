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

/** What the user pool knows of a user; null where it knows none of that name. */
export async function readPoolUser(
  client: CognitoIdentityProviderClient,
  userPoolId: string,
  username: string,
): Promise<PoolUser | null> {
  try {
    const found = await client.send(new AdminGetUserCommand({ UserPoolId: userPoolId, Username: username }));
    const email = found.UserAttributes?.find(({ Name }) => Name === 'email')?.Value;
    return { username: found.Username ?? username, email: email ?? null };
  } catch (error) {
    if (error instanceof Error && error.name === 'UserNotFoundException') return null;
    throw error;
  }
}
