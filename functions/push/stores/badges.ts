import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unlessConflict } from '../../../lib/runtime/commit.ts';
import { isRefused } from '../../../lib/runtime/failure.ts';
import type { Push } from '../rules/delivery.ts';
import { type Claims, expiryOf } from './claims.ts';

/** The number that the icon on a device is to have: that of the newest push to it, whichever is sent first. */

type Named = Pick<Push, 'userId' | 'deviceId'>;

/** Before it is sent. @returns the number that it shows: its own, or that of a newer push */
export async function raiseBadge({ client, table, now }: Claims, push: Push): Promise<number> {
  const { badge } = push.notification;
  const raising = new UpdateCommand({
    TableName: table,
    Key: keyOf(push),
    UpdateExpression: 'SET #order = :order, badge = :badge, expiresAt = :expiry',
    ConditionExpression: 'attribute_not_exists(delivery) OR #order < :order',
    ExpressionAttributeNames: { '#order': 'order' },
    ExpressionAttributeValues: { ':order': push.order, ':badge': badge, ':expiry': expiryOf(now()) },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const raised = client.send(raising).then(() => badge);
  return unlessConflict(raised, isRefused, (error) => Number((error.Item as Row)?.badge?.N ?? badge));
}

/** Strongly consistent; null where no push was to be sent for long. */
export async function readBadge(client: DynamoDBDocumentClient, table: string, of: Named): Promise<number | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: keyOf(of), ConsistentRead: true }));
  return (found.Item?.badge as number | undefined) ?? null;
}

/** The low-level client's form, which is what the error carries. */
type Row = ConditionalCheckFailedException['Item'];

function keyOf({ userId, deviceId }: Named) {
  return { delivery: `${userId}#badge#${deviceId}` };
}
