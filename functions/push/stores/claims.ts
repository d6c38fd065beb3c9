import { randomUUID } from 'node:crypto';
import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { succeedsUnlessConflict, unlessConflict } from '../../../lib/runtime/commit.ts';
import { isRefused } from '../../../lib/runtime/failure.ts';
import { updateRow } from '../../../lib/runtime/rows.ts';
import { type Claim, claimStatus, type Push } from '../rules/delivery.ts';
import type { PushDeliveries } from '../tables.ts';

/** Who sends which push, so that a redelivered message sends no second one. */

/** More than a sender lives, less than the queue hides a message: a claim outlives its sender, and no redelivery waits. */
const leaseMs = 15_000;
/** Longer than a message can stay in the queue and its dead-letter queue together. */
const keptSeconds = 30 * 86_400;

/** When a row goes, in seconds since 1970. */
export function expiryOf(now: Date): number {
  return Math.floor(now.getTime() / 1000) + keptSeconds;
}

export type Claims = { readonly table: PushDeliveries<'updateRow'>; readonly now: () => Date };
export type Claimed = 'claimed' | 'done' | 'superseded' | 'busy';

/**
 * Takes the push for a lease. A name that is claimed under an older order can be taken over once that one is settled or
 * its lease is over, and so the counts of a badge reach SNS one after the other.
 */
export async function claim({ table, now }: Claims, push: Push): Promise<Claimed> {
  const time = now();
  const at = time.getTime();
  // A lost answer is not a lost claim: the SDK's own repetition meets the row that its first try wrote.
  const claimant = randomUUID();
  const claiming = updateRow(table, keyOf(push), {
    UpdateExpression:
      'SET #order = :order, #status = :claimed, leaseUntil = :until, expiresAt = :expiry, claimant = :claimant',
    ConditionExpression:
      'attribute_not_exists(delivery) OR (#order <= :order AND #status = :released) OR ' +
      '(#order <= :order AND #status = :claimed AND leaseUntil <= :now) OR ' +
      '(#order < :order AND #status <> :claimed)',
    ExpressionAttributeNames: { '#order': 'order', '#status': 'status' },
    ExpressionAttributeValues: {
      ':order': push.order,
      ':claimed': 'claimed',
      ':released': 'released',
      ':until': at + leaseMs,
      ':now': at,
      ':claimant': claimant,
      ':expiry': expiryOf(time),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const claimed = claiming.then((): Claimed => 'claimed');
  return unlessConflict(claimed, isRefused, (error): Claimed => {
    const Item = error.Item as Row;
    if (Item?.claimant?.S === claimant) return 'claimed';
    const stands = claimStatus(readClaim(Item), push.order, at);
    // Free, and yet the condition failed: it became free in between, and the next attempt gets it.
    return stands === 'free' ? 'busy' : stands;
  });
}

/** Says what became of a claimed push; `released` leaves it to the next attempt. */
export async function settle(
  { table }: Claims,
  push: Push,
  status: 'sent' | 'undeliverable' | 'released',
): Promise<void> {
  const settling = updateRow(table, keyOf(push), {
    UpdateExpression: 'SET #status = :status',
    // Of a sender whose lease is over, and whose push a newer one has taken over, nothing is to be noted.
    ConditionExpression: '#order = :order AND #status = :claimed',
    ExpressionAttributeNames: { '#order': 'order', '#status': 'status' },
    ExpressionAttributeValues: { ':status': status, ':order': push.order, ':claimed': 'claimed' },
  });
  await succeedsUnlessConflict(settling);
}

function keyOf({ userId, event, deviceId }: Push) {
  return { delivery: `${userId}#${event}#${deviceId}` };
}

/** The low-level client's form, which is what the error carries. */
type Row = ConditionalCheckFailedException['Item'];

function readClaim(item: Row): Claim {
  return {
    order: Number(item?.order?.N ?? 0),
    status: (item?.status?.S ?? 'released') as Claim['status'],
    leaseUntil: Number(item?.leaseUntil?.N ?? 0),
  };
}
