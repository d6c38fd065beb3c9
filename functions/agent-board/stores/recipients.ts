import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { readAccount } from '../../../lib/runtime/accounts.ts';
import { type Erased, isErased, type User } from '../../users/rules.ts';

/**
 * Whether a message can be posted to a user: the user belongs to the sleep-care app and has not requested the account's deletion.
 *
 * @returns null where only the user pool can tell: an account has no profile before the first start of the app
 */
export async function readRecipient(
  client: DynamoDBDocumentClient,
  tables: { Users: string; Accounts: string },
  userId: string,
): Promise<boolean | null> {
  const [user, account] = await Promise.all([
    client.send(new GetCommand({ TableName: tables.Users, Key: { userId }, ConsistentRead: true })),
    readAccount(client, { table: tables.Accounts, userId }),
  ]);
  if (account.isClosed) return false;
  const known = user.Item as User | Erased | undefined;
  if (!known) return null;
  return !isErased(known) && known.application === 'sleepcare';
}
