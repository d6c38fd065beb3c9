import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unlessConflict } from '../../../lib/runtime/commit.ts';
import { isRefused } from '../../../lib/runtime/failure.ts';
import { get, updateRow } from '../../../lib/runtime/rows.ts';
import type { BadgeRow, Push } from '../rules/delivery.ts';
import type { PushDeliveries } from '../tables.ts';
import { type Claims, expiryOf } from './claims.ts';

/** The number that the icon on a device is to have: that of the newest push to it, whichever is sent first. */

type Named = Pick<Push, 'userId' | 'deviceId'>;

/** Before it is sent. @returns the number that it shows: its own, or that of a newer push */
export async function raiseBadge({ table, now }: Claims, push: Push): Promise<number> {
  const { badge } = push.notification;
  const raising = updateRow(table, keyOf(push), {
    UpdateExpression: 'SET #order = :order, badge = :badge, expiresAt = :expiry',
    ConditionExpression: 'attribute_not_exists(delivery) OR #order < :order',
    ExpressionAttributeNames: { '#order': 'order' },
    ExpressionAttributeValues: { ':order': push.order, ':badge': badge, ':expiry': expiryOf(now()) },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const raised = raising.then(() => badge);
  return unlessConflict(raised, isRefused, (error) => Number((error.Item as Row)?.badge?.N ?? badge));
}

/** Strongly consistent; null where no push was to be sent for long. */
export async function readBadge(table: PushDeliveries<'get'>, of: Named): Promise<number | null> {
  return (await get<BadgeRow>(table, keyOf(of)))?.badge ?? null;
}

/** The low-level client's form, which is what the error carries. */
type Row = ConditionalCheckFailedException['Item'];

function keyOf({ userId, deviceId }: Named) {
  return { delivery: `${userId}#badge#${deviceId}` };
}
