import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { readEntitlements } from '../../functions/access-codes/stores/entitlement-rows.ts';
import type { Fault } from '../../lib/local/dynamodb/front.ts';
import { type OpenCodes, openCodes } from './open-codes.ts';

/** A batch that is revoked while others work on it, and while the database fails. */

let opened: OpenCodes | undefined;
afterEach(() => opened?.close());

/** Faults of the transaction that marks the groups of a batch. */
async function open(faultOf: () => Fault | undefined = () => undefined) {
  opened = await openCodes({
    intercept: (call) => {
      const text = call.action === 'TransactWriteItems' ? JSON.stringify(call.input) : '';
      return text.includes('SET revokedAt') && !text.includes('~batches') ? faultOf() : undefined;
    },
  });
  return opened;
}

async function entitlementsOf({ place }: OpenCodes, userId: string) {
  return readEntitlements(place.dynamo, place.tables, { userId, now: new Date() });
}

test('nine conflicts are not its end', async () => {
  let left = 9;
  const codes = await open(() => {
    left -= 1;
    return left >= 0 ? 'conflict' : undefined;
  });
  const batch = await codes.begun(2);
  await codes.issue(batch);
  expect(await codes.revokeBatch(batch.batchId)).toMatchObject({ groups: [{ revokedAt: expect.any(String) }] });
});

test('broken off between the batch and its groups: it is gone on with where it is asked for again, with one audit event', async () => {
  let isOut = true;
  const codes = await open(() => (isOut ? 'error' : undefined));
  const batch = await codes.begun(17);
  const texts = (await codes.issue(batch)) ?? [];
  const userId = randomUUID();
  await codes.redeem(texts[0] ?? '', { userId });
  await expect(codes.revokeBatch(batch.batchId, true)).rejects.toThrow();
  // No redemption begins any more, and what was unlocked is not over yet.
  expect(await codes.redeem(texts[1] ?? '')).toEqual({ outcome: 'revoked' });
  expect(await entitlementsOf(codes, userId)).toMatchObject([{ status: 'active' }]);
  isOut = false;
  // Whatever is asked for now: what was decided is carried out.
  await codes.revokeBatch(batch.batchId);
  expect(await entitlementsOf(codes, userId)).toMatchObject([{ status: 'ended' }]);
  expect(await codes.rows('AuditEvents')).toHaveLength(1);
});
