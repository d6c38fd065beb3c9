import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { isTime } from '../../../lib/contract/instant.ts';
import type { Items } from '../../../lib/runtime/commit.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { type Decision, decisionOrder } from '../rules/flag-decision.ts';

/** Table `FlagDecisions`. A decision is put once, and never changed. Every read is strongly consistent. */

const keyOf = (userId: string, { flagId, what }: Pick<Decision, 'flagId' | 'what'>) => ({
  userId,
  decision: `${flagId}#${what}`,
});

export function decisionItems(table: string, userId: string, decisions: readonly Decision[]): Items {
  return decisions.map((each) => ({
    Put: {
      TableName: table,
      Item: { ...keyOf(userId, each), ...each },
      ConditionExpression: 'attribute_not_exists(userId)',
    },
  }));
}

/** Of all that can be decided about a flag. */
export function decisionErasures(table: string, userId: string, flagId: string): Items {
  return decisionOrder.map((what) => ({ Delete: { TableName: table, Key: keyOf(userId, { flagId, what }) } }));
}

/** What staff decided about any flag of a user. */
export async function readDecisions(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<Decision[]> {
  const rows = await queryAll<Decision>(client, {
    TableName: table,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
  });
  return rows.filter(isOne);
}

/** Other rows are of no honest function, and decide nothing. */
function isOne({ at, by }: Readonly<Record<string, unknown>>): boolean {
  return isTime(at) && typeof by === 'string';
}

/** Who has acknowledged a flag; null: nobody has. */
export async function readAcknowledgement(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, flagId }: { readonly userId: string; readonly flagId: string },
): Promise<Pick<Decision, 'at' | 'by'> | null> {
  const Key = keyOf(userId, { flagId, what: 'acknowledged' });
  const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return Item && isOne(Item) ? { at: String(Item.at), by: String(Item.by) } : null;
}
