import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTable, errorOf, key, startDatabase } from './database.ts';

const database = await startDatabase();
const client = database.client;
const TableName = await createTable(client);
afterAll(() => database.close());

const put = (item: Record<string, AttributeValue>) => client.send(new PutItemCommand({ TableName, Item: item }));

describe('ReturnValuesOnConditionCheckFailure', () => {
  const ReturnValuesOnConditionCheckFailure = 'ALL_OLD';
  const ConditionExpression = 'attribute_not_exists(p)';
  const Key = key('old');
  const common = {
    TableName,
    ConditionExpression,
    ReturnValuesOnConditionCheckFailure,
  } as const;
  const calls = {
    PutItem: () => client.send(new PutItemCommand({ ...common, TableName, Item: Key })),
    UpdateItem: () =>
      client.send(
        new UpdateItemCommand({
          ...common,
          TableName,
          Key,
          UpdateExpression: 'REMOVE n',
        }),
      ),
    DeleteItem: () => client.send(new DeleteItemCommand({ ...common, TableName, Key })),
  };

  test.each(Object.keys(calls) as Array<keyof typeof calls>)('%s returns the item that it found', async (name) => {
    await put({ ...Key, n: { N: '1' } });
    const error = await errorOf(calls[name]());
    expect(error.name).toBe('ConditionalCheckFailedException');
    expect(error.message).toBe('The conditional request failed');
    expect(error.Item).toEqual({ ...Key, n: { N: '1' } });
  });

  test('without it there is no item in the error', async () => {
    await put(Key);
    const error = await errorOf(client.send(new PutItemCommand({ TableName, Item: Key, ConditionExpression })));
    expect(error.Item).toBeUndefined();
  });
});

describe('conditions', () => {
  const item = {
    ...key('conditions'),
    map: { M: { a: { S: 'x' }, b: { L: [{ N: '1' }] } } },
    list: { L: [{ S: 'x' }, { N: '2' }] },
    set: { SS: ['a', 'b'] },
    empty: { S: '' },
    no: { BOOL: false },
    ten: { N: '10' },
    name: { S: 'naïve' },
  };
  const values: Record<string, AttributeValue> = {
    ':map': { M: { b: { L: [{ N: '1' }] }, a: { S: 'x' } } },
    ':list': { L: [{ S: 'x' }, { N: '2' }] },
    ':set': { SS: ['b', 'a'] },
    ':no': { BOOL: false },
    ':zero': { N: '0' },
    ':nine': { N: '9' },
    ':twenty': { N: '20' },
    ':x': { S: 'x' },
    ':na': { S: 'na' },
    ':type': { S: 'BOOL' },
  };
  const cases: Array<[string, boolean]> = [
    ['#map = :map', true],
    ['#list = :list', true],
    ['#list <> :list', false],
    ['#set = :set', true],
    ['size(#empty) = :zero', true],
    ['attribute_exists(#no) AND #no IN (:no)', true],
    ['attribute_type(#no, :type)', true],
    ['#ten > :nine', true],
    ['#ten BETWEEN :nine AND :twenty', true],
    ['#ten BETWEEN :zero AND :nine', false],
    ['#missing = :x', false],
    ['#missing <> :x', true],
    ['#missing < :x', false],
    ['contains(#list, :x)', true],
    ['contains(#name, :na)', true],
    ['begins_with(#name, :na)', true],
    ['begins_with(#name, :x)', false],
    ['NOT (#ten > :nine OR #name = :x)', false],
    ['#map.a = :x', true],
    ['#list[1] > :nine', false],
  ];

  test.each(cases)('%s is %s', async (expression, expected) => {
    await put(item);
    const used = (names: string[]) => names.filter((name) => new RegExp(`${name}\\b`).test(expression));
    const names = used([...Object.keys(item), 'missing'].map((name) => `#${name}`));
    const call = client.send(
      new PutItemCommand({
        TableName,
        Item: item,
        ConditionExpression: expression,
        ...(names.length
          ? {
              ExpressionAttributeNames: Object.fromEntries(names.map((name) => [name, name.slice(1)])),
            }
          : {}),
        ExpressionAttributeValues: Object.fromEntries(
          used(Object.keys(values)).map((name) => [name, values[name] ?? { S: '' }]),
        ),
      }),
    );
    if (expected) await call;
    else expect((await errorOf(call)).name).toBe('ConditionalCheckFailedException');
  });
});

test('an order of values that have none is a ValidationException', async () => {
  const ExpressionAttributeValues = { ':list': { L: [] } };
  const ConditionExpression = 'attribute_exists(p) AND NOT n > :list';
  const call = client.send(
    new PutItemCommand({ TableName, Item: key('x'), ConditionExpression, ExpressionAttributeValues }),
  );
  const error = await errorOf(call);
  expect(error.name).toBe('ValidationException');
  expect(error.message).toBe(
    'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: >, operand type: L',
  );
  const scan = client.send(new ScanCommand({ TableName, FilterExpression: 'n > :list', ExpressionAttributeValues }));
  expect((await errorOf(scan)).message).toMatch(/^Invalid FilterExpression: Incorrect operand type/);
});

describe('queries', () => {
  beforeAll(async () => {
    const Items = Array.from({ length: 25 }, (_, i) => ({
      ...key('page', String(i).padStart(3, '0')),
      n: { N: String(i) },
      g: { S: 'group' },
    }));
    await client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          [TableName]: Items.map((Item) => ({ PutRequest: { Item } })),
        },
      }),
    );
  });

  const ofPage: QueryCommandInput = {
    TableName: '',
    KeyConditionExpression: 'p = :p',
    ExpressionAttributeValues: { ':p': { S: 'page' } },
  };
  const ofIndex: QueryCommandInput = {
    TableName: '',
    IndexName: 'by-g',
    KeyConditionExpression: 'g = :g',
    ExpressionAttributeValues: { ':g': { S: 'group' } },
  };

  async function pages(input: QueryCommandInput): Promise<string[][]> {
    const found: string[][] = [];
    let start: Record<string, AttributeValue> | undefined;
    do {
      const reply = await client.send(new QueryCommand({ ...input, TableName, ExclusiveStartKey: start }));
      found.push((reply.Items ?? []).map((item) => item.s?.S ?? ''));
      start = reply.LastEvaluatedKey;
    } while (start && found.length < 50);
    return found;
  }
  const all = Array.from({ length: 25 }, (_, i) => String(i).padStart(3, '0'));

  test.each([
    ['the table', ofPage, all],
    ['the table backwards', { ...ofPage, ScanIndexForward: false }, all.toReversed()],
  ] as Array<[string, QueryCommandInput, string[]]>)('pages through %s in order', async (_name, input, expected) => {
    const found = await pages({ ...input, Limit: 4 });
    expect(found.flat()).toEqual(expected);
    expect(found[0]).toHaveLength(4);
  });

  test.each([true, false])(
    'pages through the index without a gap or a repetition (forward: %s)',
    async (ScanIndexForward) => {
      const found = await pages({ ...ofIndex, Limit: 4, ScanIndexForward });
      expect(found.flat().toSorted()).toEqual(all);
    },
  );

  test('filters after counting, and selects after filtering', async () => {
    const reply = await client.send(
      new QueryCommand({
        ...ofPage,
        TableName,
        Limit: 10,
        FilterExpression: 'n >= :n',
        ProjectionExpression: 's',
        ExpressionAttributeValues: { ':p': { S: 'page' }, ':n': { N: '8' } },
      }),
    );
    expect(reply.Items).toEqual([{ s: { S: '008' } }, { s: { S: '009' } }]);
    expect(reply.Count).toBe(2);
    expect(reply.ScannedCount).toBe(10);
    expect(reply.LastEvaluatedKey).toEqual(key('page', '009'));
  });

  test('counts', async () => {
    const FilterExpression = 'n < :n';
    const ExpressionAttributeValues = { ':n': { N: '3' } };
    const scanned = await client.send(
      new ScanCommand({
        TableName,
        Select: 'COUNT',
        FilterExpression,
        ExpressionAttributeValues,
      }),
    );
    expect(scanned.Count).toBeGreaterThanOrEqual(3);
    expect(scanned.Items).toBeUndefined();
  });

  test('an item that leaves the index group leaves the index', async () => {
    const item = { ...key('moving'), g: { S: 'first' } };
    await put(item);
    const group = async (name: string) =>
      (
        await pages({
          ...ofIndex,
          ExpressionAttributeValues: { ':g': { S: name } },
        })
      ).flat();
    expect(await group('first')).toEqual(['1']);
    await put({ ...item, g: { S: 'second' } });
    expect(await group('first')).toEqual([]);
    expect(await group('second')).toEqual(['1']);
    await client.send(new DeleteItemCommand({ TableName, Key: key('moving') }));
    expect(await group('second')).toEqual([]);
  });

  test('gets a batch', async () => {
    const Keys = [key('page', '001'), key('page', '002'), key('page', 'none')];
    const reply = await client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } }));
    expect(reply.Responses?.[TableName]?.map((item) => item.s?.S).toSorted()).toEqual(['001', '002']);
  });
});

test('an update answers what it was asked for', async () => {
  const Key = key('update');
  const update = (more: object) => client.send(new UpdateItemCommand({ TableName, Key, ...more }));
  await update({
    UpdateExpression: 'SET a = :a, tags = :t',
    ExpressionAttributeValues: { ':a': { N: '1' }, ':t': { SS: ['x', 'y'] } },
  });
  const reply = await update({
    UpdateExpression: 'SET a = a + :a DELETE tags :t',
    ExpressionAttributeValues: { ':a': { N: '2' }, ':t': { SS: ['x'] } },
    ReturnValues: 'ALL_NEW',
  });
  expect(reply.Attributes).toEqual({
    ...Key,
    a: { N: '3' },
    tags: { SS: ['y'] },
  });
});

test('a table that is not there is ResourceNotFoundException', async () => {
  const error = await errorOf(client.send(new GetItemCommand({ TableName: 'No-Such-Table', Key: key('x') })));
  expect(error.name).toBe('ResourceNotFoundException');
});
