import { AdminGetUserCommand, type CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { staffKey } from '../../../lib/contract/staff-accounts.ts';
import { UserPoolFailure } from '../../../lib/runtime/user-pool-failure.ts';

/** Whether an account has the address. A sign-up that crashed before it gave a password made none yet. */
export async function hasAccount(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
  email: string,
): Promise<boolean> {
  try {
    const { UserStatus } = await client.send(new AdminGetUserCommand({ UserPoolId, Username: email }));
    return UserStatus !== 'FORCE_CHANGE_PASSWORD';
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // What no pool takes as a name is nobody's.
    if (error.name === 'UserNotFoundException' || error.name === 'InvalidParameterException') return false;
    throw '$fault' in error ? new UserPoolFailure(error.name) : error;
  }
}

/** The address of a member of staff; null where there is none of that id. Strongly consistent. */
export async function staffEmail(
  client: DynamoDBDocumentClient,
  TableName: string,
  userId: string,
): Promise<string | null> {
  const { Item } = await client.send(new GetCommand({ TableName, Key: staffKey(userId), ConsistentRead: true }));
  return typeof Item?.email === 'string' ? Item.email : null;
}
