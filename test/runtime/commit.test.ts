import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { unlessOvertaken, wasFirst } from '../../lib/runtime/commit.ts';
import { isContention, isRefused } from '../../lib/runtime/failure.ts';

/** Whether another writer was first, and what only looks like it. */

const common = { message: 'no', $metadata: {} };
const refused = new ConditionalCheckFailedException(common);
const cancelled = (Code: string) => new TransactionCanceledException({ ...common, CancellationReasons: [{ Code }] });
const timeout = Object.assign(new Error('connection timed out'), { name: 'TimeoutError' });

test('a write that took effect was first', async () => {
  expect(await wasFirst(Promise.resolve({}))).toBe(true);
  expect(await unlessOvertaken(Promise.resolve('written'), isContention, () => 'overtaken')).toBe('written');
});

test('a refused condition, or a cancelled transaction, was not', async () => {
  expect(await wasFirst(Promise.reject(refused))).toBe(false);
  for (const code of ['ConditionalCheckFailed', 'TransactionConflict']) {
    expect(await unlessOvertaken(Promise.reject(cancelled(code)), isContention, () => 'overtaken')).toBe('overtaken');
  }
});

test.each([timeout, cancelled('ValidationError'), new Error('a defect')])(
  'of %s nobody knows who was first: it is thrown',
  async (error) => {
    await expect(wasFirst(Promise.reject(error))).rejects.toBe(error);
    await expect(unlessOvertaken(Promise.reject(error), isContention, () => 'overtaken')).rejects.toBe(error);
    await expect(unlessOvertaken(Promise.reject(error), isRefused, () => 'overtaken')).rejects.toBe(error);
  },
);
