import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Objects } from '../../../lib/runtime/objects.ts';
import { releaseKeyOf } from '../rules/evidence-check.ts';
import { isReleased } from '../stores/erasure-evidence.ts';
import { isDue, readErasureRow } from '../stores/erasure-rows.ts';
import { isHeld } from '../stores/hold-rows.ts';

export type Releasing = {
  readonly client: DynamoDBDocumentClient;
  readonly tables: { readonly Erasures: string; readonly LegalHolds: string };
  readonly bucket: Objects;
  readonly now: Date;
};

/** Whether the consent records of a user who was erased are released in time, or were, or are under a hold. */
export async function isReleasing(
  { client, tables, bucket, now }: Releasing,
  userId: string,
  erasedAt: Date,
): Promise<boolean> {
  const state = await readErasureRow(client, tables.Erasures, userId);
  if (await isDue(client, tables.Erasures, releaseKeyOf(state, erasedAt, now))) return true;
  return (await isHeld(client, tables.LegalHolds, userId)) || isReleased(bucket, userId);
}
