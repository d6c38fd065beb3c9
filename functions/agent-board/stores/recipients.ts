import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { erasureKeyOf } from '../../erasure/rules/erasure.ts';
import { type Erased, isErased, type User } from '../../users/rules/profile.ts';

/**
 * Whether a message can be posted to a user: one of the sleep-care app who has used it and has not asked for the account's
 * erasure, which are those whom staff can find. A message that is on its way at the request is there long before the
 * messages are erased, a quarter of an hour later.
 */
export async function isRecipient(
  client: DynamoDBDocumentClient,
  tables: { Users: string; Erasures: string },
  userId: string,
): Promise<boolean> {
  const read = (TableName: string, Key: Record<string, string>) =>
    client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  const [user, erasure] = await Promise.all([
    read(tables.Users, { userId }),
    read(tables.Erasures, erasureKeyOf(userId)),
  ]);
  const known = user.Item as User | Erased | undefined;
  return known !== undefined && !isErased(known) && known.application === 'sleepcare' && !erasure.Item?.requestedAt;
}
