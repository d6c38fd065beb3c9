import { randomUUID } from 'node:crypto';
import {
  GetItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { createTable, endpoint, errorOf, key, put, startDatabase } from './database.ts';

const database = await startDatabase();
const client = database.client;
const table = await createTable(client);
afterAll(() => database.close());

const absent = 'attribute_not_exists(p)';
const write = (TransactItems: TransactWriteItem[], more: Partial<TransactWriteItemsCommandInput> = {}) =>
  client.send(new TransactWriteItemsCommand({ TransactItems, ...more }));
const get = async (p: string, s?: string) =>
  (
    await client.send(
      new GetItemCommand({
        TableName: table,
        Key: key(p, s),
        ConsistentRead: true,
      }),
    )
  ).Item;
const add = (p: string, names: string[]): TransactWriteItem => ({
  Update: {
    TableName: table,
    Key: key(p),
    UpdateExpression: `ADD ${names.map((name) => `${name} :one`).join(', ')}`,
    ExpressionAttributeValues: { ':one': { N: '1' } },
  },
});

describe('TransactWriteItems', () => {
  test('puts, updates, deletes and checks at once', async () => {
    await write([put(table, 'all-old', 1), put(table, 'all-check', 1)]);
    await write([
      put(table, 'all-new', 2, absent),
      add('all-updated', ['n']),
      { Delete: { TableName: table, Key: key('all-old') } },
      {
        ConditionCheck: {
          TableName: table,
          Key: key('all-check'),
          ConditionExpression: '#n = :n',
          ExpressionAttributeNames: { '#n': 'n' },
          ExpressionAttributeValues: { ':n': { N: '1' } },
        },
      },
    ]);
    expect(await get('all-new')).toEqual({ ...key('all-new'), n: { N: '2' } });
    expect(await get('all-updated')).toEqual({
      ...key('all-updated'),
      n: { N: '1' },
    });
    expect(await get('all-old')).toBeUndefined();
    expect(await get('all-check')).toEqual({
      ...key('all-check'),
      n: { N: '1' },
    });
  });

  test('writes nothing when one condition fails, and says which', async () => {
    await write([put(table, 'taken', 7)]);
    const refused = put(table, 'taken', 8, absent);
    if (refused.Put) refused.Put.ReturnValuesOnConditionCheckFailure = 'ALL_OLD';
    const error = await errorOf(write([put(table, 'free'), refused, put(table, 'free-too')]));
    expect(error.name).toBe('TransactionCanceledException');
    expect(error.message).toBe(
      'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, None]',
    );
    expect(error.CancellationReasons).toEqual([
      { Code: 'None' },
      {
        Code: 'ConditionalCheckFailed',
        Message: 'The conditional request failed',
        Item: { ...key('taken'), n: { N: '7' } },
      },
      { Code: 'None' },
    ]);
    expect(await get('free')).toBeUndefined();
    expect(await get('free-too')).toBeUndefined();
    expect(await get('taken')).toEqual({ ...key('taken'), n: { N: '7' } });
  });

  test('keeps the old item to itself unless it is asked for', async () => {
    await write([put(table, 'private')]);
    const error = await errorOf(write([put(table, 'private', 1, absent)]));
    expect(error.CancellationReasons).toEqual([
      {
        Code: 'ConditionalCheckFailed',
        Message: 'The conditional request failed',
      },
    ]);
  });

  test('a failed condition check cancels', async () => {
    const error = await errorOf(
      write([
        {
          ConditionCheck: {
            TableName: table,
            Key: key('nobody'),
            ConditionExpression: 'attribute_exists(p)',
          },
        },
        put(table, 'checked'),
      ]),
    );
    expect(error.message).toContain('[ConditionalCheckFailed, None]');
    expect(await get('checked')).toBeUndefined();
  });

  test.each([
    [
      'two actions on one item',
      [put('T', 'x'), { Delete: { TableName: 'T', Key: key('x') } }],
      /multiple operations on one item/,
    ],
    ['no action', [], /greater than or equal to 1/],
    ['101 actions', Array.from({ length: 101 }, (_, i) => put('T', `x${i}`)), /less than or equal to 100/],
    ['an empty element', [{}], /should contain Delete or Put or Update request/],
    [
      'two verbs in one element',
      [{ ...put('T', 'x'), Delete: { TableName: 'T', Key: key('y') } }],
      /can only contain one of/,
    ],
    [
      'a check without a condition',
      [{ ConditionCheck: { TableName: 'T', Key: key('y') } }],
      /conditionCheck.conditionExpression/,
    ],
    ['a broken condition', [put('T', 'x', 0, 'nonsense(')], /Invalid ConditionExpression: Syntax error/],
    [
      'over 4 MB',
      Array.from({ length: 12 }, (_, i) => ({
        Put: {
          TableName: 'T',
          Item: { ...key(`x${i}`), b: { S: 'x'.repeat(390_000) } },
        },
      })),
      /cannot exceed 4MB/,
    ],
  ] as Array<[string, TransactWriteItem[], RegExp]>)('refuses %s', async (_name, elements, message) => {
    const named = JSON.parse(JSON.stringify(elements).replaceAll('"T"', JSON.stringify(table)));
    const error = await errorOf(write(named));
    expect(error.name).toBe('ValidationException');
    expect(error.message).toMatch(message);
  });

  test('takes 100 actions', async () => {
    await write(Array.from({ length: 100 }, (_, i) => put(table, `hundred-${i}`, i)));
    expect((await get('hundred-99'))?.n).toEqual({ N: '99' });
  });

  test('an unknown table is ResourceNotFoundException', async () => {
    const error = await errorOf(write([put('No-Such-Table', 'x'), put(table, 'beside')]));
    expect(error.name).toBe('ResourceNotFoundException');
    expect(await get('beside')).toBeUndefined();
  });

  test('a value of the wrong type for a key is a ValidationError among the reasons', async () => {
    const wrong = {
      Put: { TableName: table, Item: { p: { S: 'x' }, s: { N: '1' } } },
    };
    const error = await errorOf(write([put(table, 'beside'), wrong]));
    expect(error.CancellationReasons).toMatchObject([{ Code: 'None' }, { Code: 'ValidationError' }]);
    expect(await get('beside')).toBeUndefined();
  });

  test('costs twice the units', async () => {
    const { ConsumedCapacity } = await write([put(table, 'cost-1'), put(table, 'cost-2')], {
      ReturnConsumedCapacity: 'TOTAL',
    });
    expect(ConsumedCapacity).toEqual([{ TableName: table, CapacityUnits: 4, WriteCapacityUnits: 4 }]);
  });
});

describe('ClientRequestToken', () => {
  test('the same request again succeeds without a second application', async () => {
    const ClientRequestToken = randomUUID();
    await write([add('once', ['n'])], { ClientRequestToken });
    await write([add('once', ['n'])], { ClientRequestToken });
    expect((await get('once'))?.n).toEqual({ N: '1' });
    await write([add('once', ['n'])], { ClientRequestToken: randomUUID() });
    expect((await get('once'))?.n).toEqual({ N: '2' });
  });

  test('succeeds even when its own condition no longer holds', async () => {
    const ClientRequestToken = randomUUID();
    await write([put(table, 'again', 1, absent)], { ClientRequestToken });
    await write([put(table, 'again', 1, absent)], { ClientRequestToken });
  });

  test('another request under it is refused', async () => {
    const ClientRequestToken = randomUUID();
    await write([put(table, 'token', 1)], { ClientRequestToken });
    const error = await errorOf(write([put(table, 'token', 2)], { ClientRequestToken }));
    expect(error.name).toBe('IdempotentParameterMismatchException');
    expect((await get('token'))?.n).toEqual({ N: '1' });
  });

  test('a cancelled transaction may be tried again under it', async () => {
    const ClientRequestToken = randomUUID();
    const attempt = () =>
      write([put(table, 'later', 1, 'attribute_exists(p)')], {
        ClientRequestToken,
      });
    expect((await errorOf(attempt())).name).toBe('TransactionCanceledException');
    await write([put(table, 'later')]);
    await attempt();
    expect((await get('later'))?.n).toEqual({ N: '1' });
  });
});

describe('TransactGetItems', () => {
  const read = (...Keys: string[]) =>
    client.send(
      new TransactGetItemsCommand({
        TransactItems: Keys.map((p) => ({
          Get: { TableName: table, Key: key(p), ProjectionExpression: 'p, n' },
        })),
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );

  test('answers in order, with nothing for what is not there', async () => {
    await write([put(table, 'read-1', 1), put(table, 'read-2', 2)]);
    const { Responses, ConsumedCapacity } = await read('read-2', 'read-none', 'read-1');
    expect(Responses).toEqual([
      { Item: { p: { S: 'read-2' }, n: { N: '2' } } },
      {},
      { Item: { p: { S: 'read-1' }, n: { N: '1' } } },
    ]);
    expect(ConsumedCapacity).toEqual([{ TableName: table, CapacityUnits: 6, ReadCapacityUnits: 6 }]);
  });

  test('refuses one item twice', async () => {
    expect((await errorOf(read('a', 'a'))).message).toMatch(/multiple operations on one item/);
  });

  test('never sees half of a transaction', async () => {
    await write([put(table, 'left', 0), put(table, 'right', 0)]);
    const writers = Array.from({ length: 40 }, () =>
      write([add('left', ['n']), add('right', ['n'])]).catch(ignoreConflict),
    );
    const readers = Array.from({ length: 40 }, () => read('left', 'right').catch(ignoreConflict));
    const seen = (await Promise.all(readers)).flatMap((reply) => (reply?.Responses ? [reply.Responses] : []));
    await Promise.all(writers);
    expect(seen.length).toBeGreaterThan(0);
    for (const [left, right] of seen) expect(left?.Item?.n).toEqual(right?.Item?.n);
  });
});

describe('races', () => {
  test('of 50 transactions on one condition exactly one wins', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => write([put(table, 'race', i, absent), put(table, `race-${i}`, i)])),
    );
    const won = results.flatMap(({ status }, i) => (status === 'fulfilled' ? [i] : []));
    expect(won).toHaveLength(1);
    expect((await get('race'))?.n).toEqual({ N: String(won[0]) });
    const entries = await Promise.all(Array.from({ length: 50 }, (_, i) => get(`race-${i}`)));
    expect(entries.flatMap((item, i) => (item ? [i] : []))).toEqual(won);
  });

  test('transactions and single updates of one counter lose nothing', async () => {
    const single = () =>
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: key('counter'),
          UpdateExpression: 'SET single = if_not_exists(single, :zero) + :one, n = if_not_exists(n, :zero) + :one',
          ExpressionAttributeValues: {
            ':zero': { N: '0' },
            ':one': { N: '1' },
          },
        }),
      );
    const both = () => write([add('counter', ['transacted', 'n']), add('counter-2', ['n'])]);
    await Promise.all(Array.from({ length: 100 }, (_, i) => untilDone(i % 2 ? single : both)));
    const counter = await get('counter');
    expect(counter?.n).toEqual({ N: '100' });
    expect(counter?.single).toEqual({ N: '50' });
    expect(counter?.transacted).toEqual({ N: '50' });
    expect((await get('counter-2'))?.n).toEqual({ N: '50' });
  });

  test('the index follows every transaction', async () => {
    const g = `group-${randomUUID()}`;
    const grouped = (p: string) => ({
      Put: { TableName: table, Item: { ...key(p), g: { S: g } } },
    });
    await Promise.all(Array.from({ length: 20 }, (_, i) => write([grouped(`g-${i}-a`), grouped(`g-${i}-b`)])));
    const { Items } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'by-g',
        KeyConditionExpression: 'g = :g',
        ExpressionAttributeValues: { ':g': { S: g } },
      }),
    );
    expect(Items).toHaveLength(40);
  });
});

/** DynamoDB Local, as AWS, may answer a racing call with a conflict; the engine in process never does. */
function ignoreConflict(error: unknown): undefined {
  if (!endpoint || !String(error).includes('TransactionConflict')) throw error;
}

async function untilDone(call: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      await call();
      return;
    } catch (error) {
      ignoreConflict(error);
    }
  }
  throw new Error('A call conflicted 200 times');
}
