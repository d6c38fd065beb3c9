import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Items } from '../../../lib/runtime/commit.ts';

/**
 * Table `Questionnaires`: one row that each change touches on which the wording of a programme depends. A bundle and a version
 * that are written at once would otherwise both be judged without the other.
 */
const Key = { part: 'guards', name: 'wording' };

/**
 * Read before what the change is judged by.
 *
 * @returns what goes into the same transaction: nothing is written where another such change was first
 */
export async function wordingGuard(client: DynamoDBDocumentClient, TableName: string): Promise<Items[number]> {
  const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  const before = Item as { revision: number } | undefined;
  const isStill = before
    ? { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': before.revision } }
    : { ConditionExpression: 'attribute_not_exists(revision)' };
  return { Put: { TableName, Item: { ...Key, revision: (before?.revision ?? 0) + 1 }, ...isStill } };
}
