import type { Objects } from '../../../lib/runtime/objects.ts';
import { releaseKeyOf } from '../rules/evidence-check.ts';
import { isReleased } from '../stores/erasure-evidence.ts';
import { isDue, readErasureRow } from '../stores/erasure-rows.ts';
import { isHeld } from '../stores/hold-rows.ts';
import type { Erasures, LegalHolds } from '../tables.ts';

export type Releasing = {
  readonly tables: {
    readonly Erasures: Erasures<'get'>;
    readonly LegalHolds: LegalHolds<'get'>;
  };
  readonly bucket: Objects;
  readonly now: Date;
};

/** Whether the consent records of a user who was erased are released in time, or were, or are under a hold. */
export async function isReleasing(
  { tables, bucket, now }: Releasing,
  userId: string,
  erasedAt: Date,
): Promise<boolean> {
  const state = await readErasureRow(tables.Erasures, userId);
  if (await isDue(tables.Erasures, releaseKeyOf(state, erasedAt, now))) return true;
  return (await isHeld(tables.LegalHolds, userId)) || isReleased(bucket, userId);
}
