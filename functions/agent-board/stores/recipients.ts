import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { erasureKeyOf } from '../../erasure/rules/erasure.ts';

/**
 * Whether a message can be posted to a user: one of the sleep-care app who has not asked for the account's erasure. A message
 * that is on its way at the request is there long before the messages are erased, a quarter of an hour later.
 *
 * @param isInPool asked where no profile tells: an account has none before the first start of the app
 */
export async function isRecipient(
  client: DynamoDBDocumentClient,
  tables: { Users: string; Erasures: string },
  userId: string,
  isInPool: (userId: string) => Promise<boolean>,
): Promise<boolean> {
  const read = (TableName: string, Key: Record<string, string>) =>
    client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  const [user, erasure] = await Promise.all([
    read(tables.Users, { userId }),
    read(tables.Erasures, erasureKeyOf(userId)),
  ]);
  if (user.Item?.erasedAt !== undefined || erasure.Item?.requestedAt) return false;
  return user.Item ? user.Item.application === 'sleepcare' : isInPool(userId);
}
