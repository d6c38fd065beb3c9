import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Erasure, erasureKeyOf } from '../../erasure/rules/erasure.ts';

/** When the deletion of a user's account was requested; null while nobody did. A hold is about data and changes nothing. */
export async function readAccountEnd(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<string | null> {
  const command = new GetCommand({ TableName: table, Key: erasureKeyOf(userId), ConsistentRead: true });
  const { Item } = await client.send(command);
  return (Item as Erasure | undefined)?.requestedAt ?? null;
}
