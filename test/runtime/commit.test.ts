import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { succeedsUnlessConflict, unlessConflict } from '../../lib/runtime/commit.ts';
import { failureOf, isContention, isRefused } from '../../lib/runtime/failure.ts';

/** Whether another writer was first, and what only looks like it. */

const common = { message: 'no', $metadata: {} };
const refused = new ConditionalCheckFailedException(common);
const cancelled = (Code: string) => new TransactionCanceledException({ ...common, CancellationReasons: [{ Code }] });
/** The same transaction, sent twice, is still under way: decided anew under new keys it would be carried out beside itself. */
const underWay = new TransactionInProgressException(common);
const timeout = Object.assign(new Error('connection timed out'), { name: 'TimeoutError' });

test('a write that took effect was first', async () => {
  expect(await succeedsUnlessConflict(Promise.resolve({}))).toBe(true);
  expect(await unlessConflict(Promise.resolve('written'), isContention, () => 'overtaken')).toBe('written');
});

test('a refused condition, or a cancelled transaction, was not', async () => {
  expect(await succeedsUnlessConflict(Promise.reject(refused))).toBe(false);
  for (const code of ['ConditionalCheckFailed', 'TransactionConflict']) {
    expect(await unlessConflict(Promise.reject(cancelled(code)), isContention, () => 'overtaken')).toBe('overtaken');
  }
});

test.each([timeout, underWay, cancelled('ValidationError'), new Error('a defect')])(
  'of %s nobody knows who was first: it is thrown',
  async (error) => {
    await expect(succeedsUnlessConflict(Promise.reject(error))).rejects.toBe(error);
    await expect(unlessConflict(Promise.reject(error), isContention, () => 'overtaken')).rejects.toBe(error);
    await expect(unlessConflict(Promise.reject(error), isRefused, () => 'overtaken')).rejects.toBe(error);
  },
);

test('where it stays under way, the service is unavailable, and the write is no defect', () => {
  expect(failureOf(underWay).code).toBe('UNAVAILABLE');
});
