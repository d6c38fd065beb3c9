import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Items } from '../../../lib/runtime/commit.ts';

/**
 * Table `Questionnaires`: one row that every new bundle and every new version changes. If both are written at once, one of them fails and
 * is checked again. Otherwise neither check would see the other write.
 */
const Key = { part: 'guards', name: 'wording' };

/**
 * Call it before the reads of the check.
 *
 * @returns an item for the transaction, which fails if another bundle or version was written since
 */
export async function wordingGuard(client: DynamoDBDocumentClient, TableName: string): Promise<Items[number]> {
  const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  const before = Item as { revision: number } | undefined;
  const isStill = before
    ? { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': before.revision } }
    : { ConditionExpression: 'attribute_not_exists(revision)' };
  return { Put: { TableName, Item: { ...Key, revision: (before?.revision ?? 0) + 1 }, ...isStill } };
}
