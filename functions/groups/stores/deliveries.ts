import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Broadcast, expiries } from '../rules/broadcast.ts';

/** Table `GroupMessageDeliveries`: who got which broadcast. */

type Named = { readonly userId: string; readonly broadcastId: string };

/** Strongly consistent. */
export async function isDelivered(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, broadcastId }: Named,
): Promise<boolean> {
  const Key = { userId, broadcastId };
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return found.Item !== undefined;
}

/** The item of the transaction that posts it: it fails where the member has it. */
export function putDelivery(TableName: string, userId: string, broadcast: Broadcast, realNow: Date) {
  const { broadcastId, groupId } = broadcast;
  const expiresAt = expiries(broadcast).delivery;
  return {
    Put: {
      TableName,
      Item: { userId, broadcastId, groupId, postedAt: realNow.toISOString(), expiresAt },
      ConditionExpression: 'attribute_not_exists(userId)',
    },
  };
}
