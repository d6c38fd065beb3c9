import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tombstoneWithoutProfile } from '../../users/exports.ts';
import { requested } from '../rules/erasure.ts';
import type { Decide } from './erasure-rows.ts';

/**
 * A user who has no profile yet gets the tombstone with the request, in its transaction: from then on the token that is
 * still valid makes none.
 */
export function requestedBy(
  client: DynamoDBDocumentClient,
  users: string,
  asked: { userId: string; application: string; now: Date },
): Decide {
  const { userId, now } = asked;
  return async (before) => {
    const after = requested(before, asked);
    if (after === before) return null;
    return { after, also: await tombstoneWithoutProfile(client, users, { userId, erasedAt: now.toISOString() }) };
  };
}
