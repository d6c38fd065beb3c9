import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

/**
 * Whether a message can be posted to a user: one of the sleep-care app who has used it and was not erased, which are
 * those whom staff can find.
 */
export async function isRecipient(client: DynamoDBDocumentClient, table: string, userId: string): Promise<boolean> {
  const found = await client.send(new GetCommand({ TableName: table, Key: { userId }, ConsistentRead: true }));
  return found.Item?.application === 'sleepcare' && found.Item.erasedAt === undefined;
}
