import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { staffProfile } from '../../access/data-subject.ts';

/** The profiles of table `Staff`: what patients see of a person who looked at their data. */

export async function readStaffName(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<string | null> {
  const Key = { userId, part: staffProfile };
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item as { name: string } | undefined)?.name ?? null;
}

/** An item of a transaction: the name that patients see. */
export function putStaffName(table: string, userId: string, name: string) {
  return { Put: { TableName: table, Item: { userId, part: staffProfile, name } } };
}
