import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { readAccount } from '../../../lib/runtime/accounts.ts';
import { type Erased, isErased, type User } from '../../users/rules/profile.ts';

/**
 * Whether a message can be posted to a user: one of the sleep-care app who has not asked for the account's deletion.
 *
 * @param isInPool asked where no profile tells: an account has none before the first start of the app
 */
export async function isRecipient(
  client: DynamoDBDocumentClient,
  tables: { Users: string; Accounts: string },
  userId: string,
  isInPool: (userId: string) => Promise<boolean>,
): Promise<boolean> {
  const [user, account] = await Promise.all([
    client.send(new GetCommand({ TableName: tables.Users, Key: { userId }, ConsistentRead: true })),
    readAccount(client, { table: tables.Accounts, userId }),
  ]);
  if (account.isClosed) return false;
  const known = user.Item as User | Erased | undefined;
  if (!known) return isInPool(userId);
  return !isErased(known) && known.application === 'sleepcare';
}
