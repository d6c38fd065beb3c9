import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Tries } from '../rules/tries.ts';

/** Table `SiteCodeTries`. */

export async function readTries(client: DynamoDBDocumentClient, table: string, userId: string): Promise<Tries | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: { userId }, ConsistentRead: true }));
  return (found.Item as Tries | undefined) ?? null;
}

/** An item of a transaction, on the condition that the row is still what was read. */
export function putTries(table: string, tries: Tries, before: Tries | null) {
  // A row that no honest function writes keeps nobody out.
  const isStill = before?.changeId
    ? { ConditionExpression: 'changeId = :read', ExpressionAttributeValues: { ':read': before.changeId } }
    : { ConditionExpression: 'attribute_not_exists(changeId)' };
  return { Put: { TableName: table, Item: tries, ...isStill } };
}
