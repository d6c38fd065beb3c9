import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { readAccount } from '../../../lib/runtime/accounts.ts';

/**
 * Whether a message can be posted to a user: one of the sleep-care app who has used it and has not asked for the account's
 * deletion, which are those whom staff can find.
 */
export async function isRecipient(
  client: DynamoDBDocumentClient,
  tables: { Users: string; Accounts: string },
  userId: string,
): Promise<boolean> {
  const [user, account] = await Promise.all([
    client.send(new GetCommand({ TableName: tables.Users, Key: { userId }, ConsistentRead: true })),
    readAccount(client, { table: tables.Accounts, userId }),
  ]);
  return user.Item?.application === 'sleepcare' && user.Item.erasedAt === undefined && !account.isClosed;
}
