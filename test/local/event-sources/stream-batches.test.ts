import { describe, expect, test } from 'vitest';
import { consumeBatch, type GivenUp } from '../../../lib/local/event-sources/stream-batches.ts';
import type { StreamRecord } from '../../../lib/local/event-sources/stream-client.ts';
import { type InvokeResult, invokeFailure } from '../../../lib/local/functions/result.ts';

/** What Lambda's poller does with a batch (Lambda developer guide, "Using Lambda to process records from DynamoDB streams"). */

const at = 1_700_000_000;
const record = (number: number): StreamRecord => ({
  eventID: String(number),
  dynamodb: { SequenceNumber: String(number), ApproximateCreationDateTime: at },
});
const numbers = (records: readonly StreamRecord[]) => records.map(({ eventID }) => Number(eventID));
const answer = (...failed: number[]): InvokeResult => ({
  ok: true,
  payload: { batchItemFailures: failed.map((number) => ({ itemIdentifier: String(number) })) },
  initMs: null,
  durationMs: 1,
});
const failure = invokeFailure('error', 'Error', 'it failed');

type Source = Parameters<typeof consumeBatch>[1]['source'];

async function consume(
  count: number,
  handle: (batch: number[], call: number) => InvokeResult,
  more: Partial<Source> = {},
  now = at * 1000,
) {
  const calls: number[][] = [];
  const given: { records: number[]; of: GivenUp }[] = [];
  await consumeBatch(
    Array.from({ length: count }, (_, index) => record(index + 1)),
    {
      source: { bisects: true, retries: 2, maxAgeMs: 60_000, reportsFailures: true, ...more },
      invoke: async (records) => {
        calls.push(numbers(records));
        return handle(numbers(records), calls.length);
      },
      giveUp: async (records, of) => void given.push({ records: numbers(records), of }),
      now: () => now,
      pause: async () => undefined,
      isClosed: () => false,
    },
  );
  return { calls, given };
}

describe('a batch', () => {
  test('that is consumed is over', async () => {
    expect(await consume(3, () => answer())).toEqual({ calls: [[1, 2, 3]], given: [] });
  });

  test('goes on from the record that the function names', async () => {
    const { calls, given } = await consume(4, (_, call) => (call === 1 ? answer(3, 4) : answer()));
    expect(calls).toEqual([
      [1, 2, 3, 4],
      [3, 4],
    ]);
    expect(given).toEqual([]);
  });

  test('is halved around a poisonous record: only this one is given up, and all others are consumed in order', async () => {
    const { calls, given } = await consume(5, (batch) => (batch.includes(3) ? failure : answer()));
    expect(calls.filter((batch) => !batch.includes(3)).flat()).toEqual([1, 2, 4, 5]);
    expect(given).toEqual([
      { records: [3], of: { condition: 'RetryAttemptsExhausted', attempts: 3, error: 'it failed' } },
    ]);
    expect(calls.filter((batch) => batch.length === 1 && batch[0] === 3)).toHaveLength(3);
  });

  test('without a bound of retries is tried until it is consumed', async () => {
    const handle = (_: number[], call: number) => (call < 50 ? failure : answer());
    const { calls, given } = await consume(1, handle, { retries: Number.POSITIVE_INFINITY });
    expect([calls.length, given]).toEqual([50, []]);
  });

  test('is tried again whole where nothing halves it', async () => {
    const { calls, given } = await consume(2, () => failure, { bisects: false });
    expect(calls).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(given).toMatchObject([{ records: [1, 2] }]);
  });

  test('that was only unlucky is not given up', async () => {
    const { given } = await consume(1, (_, call) => (call < 3 ? failure : answer()));
    expect(given).toEqual([]);
  });

  test('that is too old is given up untried', async () => {
    const { calls, given } = await consume(2, () => answer(), {}, at * 1000 + 62_000);
    expect(calls).toEqual([]);
    expect(given).toMatchObject([{ records: [1, 2], of: { condition: 'MaximumRecordAgeExceeded' } }]);
  });

  test('with a number of no record failed as a whole', async () => {
    const { calls } = await consume(1, (_, call) => (call === 1 ? answer(99) : answer()));
    expect(calls).toEqual([[1], [1]]);
  });
});
