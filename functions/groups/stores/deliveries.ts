import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Broadcast, expiries } from '../rules/broadcast.ts';

/** Table `GroupMessageDeliveries`: who got which broadcast, and whom it was no longer for. The row of a member decides. */

type Named = { readonly userId: string; readonly broadcastId: string };
export type Decided = 'posted' | 'skipped';

/** Strongly consistent; null where nothing is decided yet. */
export async function readDelivery(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, broadcastId }: Named,
): Promise<Decided | null> {
  const Key = { userId, broadcastId };
  const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  if (!Item) return null;
  return Item.skippedAt === undefined ? 'posted' : 'skipped';
}

/** The item of the transaction that posts it, or that says that it is not posted: it fails where either is decided. */
export function putDelivery(
  TableName: string,
  userId: string,
  broadcast: Broadcast,
  { decided, realNow }: { readonly decided: Decided; readonly realNow: Date },
) {
  const { broadcastId, groupId } = broadcast;
  const expiresAt = expiries(broadcast).delivery;
  return {
    Put: {
      TableName,
      Item: { userId, broadcastId, groupId, [`${decided}At`]: realNow.toISOString(), expiresAt },
      ConditionExpression: 'attribute_not_exists(userId)',
    },
  };
}
