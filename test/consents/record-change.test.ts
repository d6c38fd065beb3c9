import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import { hashOf } from '../../functions/consents/rules/record.ts';
import { Unavailable } from '../../lib/contract/common-errors.ts';
import type { Call, Fault } from '../../lib/local/dynamodb/front.ts';
import { Failure, isUnavailable } from '../../lib/runtime/failure.ts';
import { callLimits } from '../../lib/runtime/limits.ts';
import { longestWaitMs, type Outage } from '../runtime/longest-wait.ts';
import { type Ledger, openLedger } from './ledger.ts';

let opened: Awaited<ReturnType<typeof openLedger>> | undefined;
afterEach(() => opened?.close());

type Plan = {
  now?: () => Date;
  fault?: (call: Call, count: number) => Fault | undefined;
  limits?: DynamoDBClientConfig;
};

/** Faults by action, counted from 1 for each. */
async function ledger({ now = () => new Date(), fault, limits }: Plan = {}): Promise<Ledger> {
  const counts = new Map<string, number>();
  const intercept = (call: Call) => {
    const count = (counts.get(call.action) ?? 0) + 1;
    counts.set(call.action, count);
    return fault?.(call, count);
  };
  opened = await openLedger({ intercept }, limits);
  return opened.ledger(now);
}

const isWrite = ({ action }: Call) => action === 'TransactWriteItems';

describe('races', () => {
  test('20 parallel agrees all get one time and leave one record, which counts once', async () => {
    const { agree, records, written } = await ledger();
    const times = new Set(await Promise.all(Array.from({ length: 20 }, () => agree())));
    expect(times.size).toBe(1);
    expect((await records()).map((record) => record.recordedAt)).toEqual([...times]);
    expect(written()).toBe(1);
  });

  test('agree against revoke leaves a history that alternates and starts with a consent', async () => {
    const { agree, revoke, records, written } = await ledger();
    for (let round = 0; round < 10; round += 1) await Promise.all([agree(), revoke(), agree(), revoke()]);
    const actions = (await records()).map((record) => record.action);
    expect(actions.length).toBeGreaterThan(1);
    expect(written()).toBe(actions.length);
    expect(actions).toEqual(actions.map((_action, index) => (index % 2 === 0 ? 'agreed' : 'revoked')));
  });
});

describe('time', () => {
  test('four changes within one millisecond are four records in that order', async () => {
    const { agree, revoke, records } = await ledger({ now: () => new Date('2026-03-01T12:00:00.000Z') });
    for (const change of [agree, revoke, agree, revoke]) await change();
    expect((await records()).map(({ recordedAt, action }) => [recordedAt, action])).toEqual([
      ['2026-03-01T12:00:00.000Z', 'agreed'],
      ['2026-03-01T12:00:00.001Z', 'revoked'],
      ['2026-03-01T12:00:00.002Z', 'agreed'],
      ['2026-03-01T12:00:00.003Z', 'revoked'],
    ]);
  });

  test('a clock that steps back an hour keeps the times increasing', async () => {
    let now = new Date('2026-03-01T12:00:00.000Z');
    const { agree, revoke, records } = await ledger({ now: () => now });
    await agree();
    now = new Date('2026-03-01T11:00:00.000Z');
    await revoke();
    expect((await records()).map((record) => record.recordedAt)).toEqual([
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T12:00:00.001Z',
    ]);
  });
});

describe('faults', () => {
  test.each([
    ['once, so that the retry meets its own write', 1],
    ['three times, so that only a look at the pointer tells', 3],
  ])('an answer lost after the commit %s is a success and one record', async (_name, losses) => {
    const { agree, records } = await ledger({
      fault: (call, count) => (isWrite(call) && count <= losses ? 'lose-response' : undefined),
    });
    const at = await agree();
    expect((await records()).map((record) => record.recordedAt)).toEqual([at]);
    expect(await agree()).toBe(at);
  });

  test('an answer lost after the commit is a success also where another call moved on in between', async () => {
    let revoked: Promise<unknown> | undefined;
    let token: unknown;
    const { agree, revoke, records } = await ledger({
      fault: (call) => {
        if (!isWrite(call)) return undefined;
        token ??= call.input.ClientRequestToken;
        if (call.input.ClientRequestToken !== token) return undefined;
        // The consent is committed, its answer is lost, and the user revokes while it is asked for again.
        setImmediate(() => {
          revoked ??= revoke();
        });
        return 'lose-response';
      },
    });
    const at = await agree();
    await revoked;
    const [first, second, ...more] = await records();
    expect([first?.recordedAt, first?.action, second?.action, more]).toEqual([at, 'agreed', 'revoked', []]);
  });

  test('a record is never written over, wherever the pointer stands', async () => {
    const now = new Date('2026-03-01T12:00:00.000Z');
    const { agree, records, plant } = await ledger({ now: () => now });
    await plant(now.toISOString());
    await expect(agree()).rejects.toEqual(new Failure(Unavailable));
    expect(await records()).toEqual([expect.objectContaining({ recordId: 'planted' })]);
  });

  test('after three transaction conflicts the decision is made again until it succeeds', async () => {
    const { agree, records } = await ledger({
      fault: (call, count) => (isWrite(call) && count <= 3 ? 'conflict' : undefined),
    });
    await agree();
    expect(await records()).toHaveLength(1);
  });

  test('contention that outlasts five retries is UNAVAILABLE, with nothing written', async () => {
    let writes = 0;
    const { agree, records } = await ledger({
      fault: (call) => {
        if (!isWrite(call)) return undefined;
        writes += 1;
        return 'conflict';
      },
    });
    await expect(agree()).rejects.toEqual(new Failure(Unavailable));
    expect(writes).toBe(6);
    expect(await records()).toEqual([]);
  });

  test('throttling twice is waited out', async () => {
    const { agree, records } = await ledger({
      fault: ({ action }, count) => (action !== 'CreateTable' && count <= 2 ? 'throttle' : undefined),
    });
    await agree();
    expect(await records()).toHaveLength(1);
  });

  test.each<[string, Fault, Outage]>([
    ['throttles', 'throttle', 'THROTTLING'],
    ['fails', 'error', 'TRANSIENT'],
    ['hangs', 'hang', 'TRANSIENT'],
  ])('a table that %s for ever is an outage within the time of a function', async (_name, fault, outage) => {
    let calls = 0;
    const { agree } = await ledger({
      fault: ({ action }) => {
        if (action === 'CreateTable') return undefined;
        calls += 1;
        return fault;
      },
      // Only what hangs meets the time limit: on a busy machine others could meet it, too.
      limits: fault === 'hang' ? callLimits : { maxAttempts: callLimits.maxAttempts },
    });
    const error = await agree().catch((reason: unknown) => reason);
    expect(isUnavailable(error)).toBe(true);
    expect(calls).toBe(callLimits.maxAttempts);
    expect(await longestWaitMs(callLimits, outage)).toBeLessThan(9_000);
  });
});

test('each record carries the hash of its predecessor, and the pointer that of the last', async () => {
  const { agree, revoke, records, state } = await ledger();
  for (const change of [agree, revoke, () => agree('marketing-1.1')]) await change();
  const chain = (await records()).map(({ userAgreement: _key, ...record }: Record<string, unknown>) => record);
  chain.forEach((record, index) => {
    expect(record.hash).toBe(hashOf(record));
    expect(record.previousHash).toBe(chain[index - 1]?.hash ?? null);
    expect(record.sequence).toBe(index + 1);
  });
  expect(await state()).toMatchObject({ hash: chain.at(-1)?.hash, sequence: 3, versionId: 'marketing-1.1' });
});

test('a page goes on where the one before it ended, also past more rows with only keys than it has', async () => {
  let now = new Date('2026-03-01T12:00:00.000Z');
  const { agree, revoke, plant, page } = await ledger({ now: () => now });
  await agree();
  for (const second of [1, 2, 3]) await plant(`2026-03-01T12:00:0${second}.000Z`, {});
  now = new Date('2026-03-01T13:00:00.000Z');
  for (const change of [revoke, agree]) await change();
  const found: number[] = [];
  let after: string | null = null;
  do {
    const { records, next }: Awaited<ReturnType<typeof page>> = await page(1, after);
    found.push(...records.map(({ sequence }) => sequence));
    after = next;
  } while (after !== null && found.length < 9);
  expect(found).toEqual([3, 2, 1]);
});
