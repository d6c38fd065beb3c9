import { below, type Random, randomOf } from '../../lib/explore/random.ts';

/** Random calls of DynamoDB, many of which meet the same rows, and some of which DynamoDB refuses. */

export type RandomCall = { readonly command: string; readonly input: Record<string, unknown> };

export const randomTables = [
  { name: 'Rows', partitionKey: 'id', sortKey: 'part', stream: true },
  { name: 'Singles', partitionKey: 'id', stream: true },
] as const;

export function randomCalls(seed: string, count: number): RandomCall[] {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => callOf(random));
}

function one<T>(random: Random, from: readonly T[]): T {
  return from[below(random, from.length)] as T;
}

type Keys = Record<string, unknown>;

function keyOf(random: Random, table: string): Keys {
  // Rarely a key that DynamoDB refuses.
  const id = random() < 0.03 ? one(random, ['', 7, null]) : one(random, ['a', 'b', 'c']);
  if (table === 'Singles') return random() < 0.02 ? { id, part: 'x' } : { id };
  return random() < 0.02 ? { id } : { id, part: one(random, ['1', '2', '3', 'n#1', 'n#2']) };
}

function itemOf(random: Random, table: string): Keys {
  const more = one<Keys>(random, [
    {},
    { revision: below(random, 4) },
    { revision: below(random, 4), name: one(random, ['x', 'y', '']) },
    { list: [1, 'two', { three: 3 }], flag: random() < 0.5 },
    { set: new Set(one(random, [['p'], ['p', 'q']])), nested: { deep: { value: below(random, 3) } } },
  ]);
  return { ...keyOf(random, table), ...more };
}

type Condition = { ConditionExpression?: string; ExpressionAttributeNames?: Keys; ExpressionAttributeValues?: Keys };

const conditions: readonly (() => Condition)[] = [
  () => ({}),
  () => ({ ConditionExpression: 'attribute_not_exists(id)' }),
  () => ({ ConditionExpression: 'attribute_exists(id)' }),
  () => ({ ConditionExpression: 'revision = :r', ExpressionAttributeValues: { ':r': 1 } }),
  () => ({
    ConditionExpression: 'attribute_not_exists(#r) OR #r < :r',
    ExpressionAttributeNames: { '#r': 'revision' },
    ExpressionAttributeValues: { ':r': 3 },
  }),
  () => ({
    ConditionExpression: 'begins_with(#n, :x)',
    ExpressionAttributeNames: { '#n': 'name' },
    ExpressionAttributeValues: { ':x': 'x' },
  }),
  () => ({
    ConditionExpression: 'contains(#s, :p)',
    ExpressionAttributeNames: { '#s': 'set' },
    ExpressionAttributeValues: { ':p': 'p' },
  }),
  () => ({ ConditionExpression: 'NOT (revision BETWEEN :a AND :b)', ExpressionAttributeValues: { ':a': 1, ':b': 2 } }),
  () => ({ ConditionExpression: 'revision IN (:a, :b)', ExpressionAttributeValues: { ':a': 0, ':b': 2 } }),
  () => ({
    ConditionExpression: 'nested.deep.#v = :v',
    ExpressionAttributeNames: { '#v': 'value' },
    ExpressionAttributeValues: { ':v': 1 },
  }),
  // Refused: an unknown value, one that is not used, and no expression at all.
  () => ({ ConditionExpression: 'revision = :unknown' }),
  () => ({ ConditionExpression: 'attribute_exists(id)', ExpressionAttributeValues: { ':unused': 1 } }),
  () => ({ ConditionExpression: 'revision ==== 1' }),
];

const updates: readonly (() => Keys)[] = [
  () => ({ UpdateExpression: 'SET revision = :n', ExpressionAttributeValues: { ':n': 2 } }),
  () => ({
    UpdateExpression: 'SET revision = if_not_exists(revision, :none) + :one',
    ExpressionAttributeValues: { ':none': 0, ':one': 1 },
  }),
  () => ({ UpdateExpression: 'ADD revision :one', ExpressionAttributeValues: { ':one': 1 } }),
  () => ({ UpdateExpression: 'REMOVE #n, flag', ExpressionAttributeNames: { '#n': 'name' } }),
  () => ({
    UpdateExpression: 'SET #l = list_append(#l, :more)',
    ExpressionAttributeNames: { '#l': 'list' },
    ExpressionAttributeValues: { ':more': [4] },
  }),
  () => ({ UpdateExpression: 'SET id = :id', ExpressionAttributeValues: { ':id': 'z' } }),
  () => ({ UpdateExpression: 'SET' }),
];

function merged(condition: Condition, update: Keys): Keys {
  const both = (name: 'ExpressionAttributeNames' | 'ExpressionAttributeValues') => {
    const found = { ...condition[name], ...(update[name] as Keys | undefined) };
    return Object.keys(found).length > 0 ? { [name]: found } : {};
  };
  return { ...condition, ...update, ...both('ExpressionAttributeNames'), ...both('ExpressionAttributeValues') };
}

function returns(random: Random): Keys {
  return random() < 0.3 ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } : {};
}

function callOf(random: Random): RandomCall {
  const TableName = random() < 0.01 ? 'Missing' : one(random, ['Rows', 'Rows', 'Singles']);
  const condition = () => one(random, conditions)();
  switch (below(random, 12)) {
    case 0:
    case 1:
      return {
        command: 'Put',
        input: {
          TableName,
          Item: itemOf(random, TableName),
          ...condition(),
          ...returns(random),
          ReturnValues: one(random, ['NONE', 'ALL_OLD']),
        },
      };
    case 2:
    case 3: {
      const wanted = one(random, ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_NEW', 'UPDATED_OLD']);
      return {
        command: 'Update',
        input: {
          TableName,
          Key: keyOf(random, TableName),
          ...merged(condition(), one(random, updates)()),
          ...returns(random),
          ReturnValues: wanted,
        },
      };
    }
    case 4:
      return {
        command: 'Delete',
        input: {
          TableName,
          Key: keyOf(random, TableName),
          ...condition(),
          ...returns(random),
          ReturnValues: one(random, ['NONE', 'ALL_OLD']),
        },
      };
    case 5:
      return {
        command: 'Get',
        input: {
          TableName,
          Key: keyOf(random, TableName),
          ...(random() < 0.3 && { ProjectionExpression: 'id, revision' }),
          ConsistentRead: true,
        },
      };
    case 6:
    case 7:
      return { command: 'Query', input: queryOf(random) };
    case 8:
      return {
        command: 'Scan',
        input: {
          TableName,
          ...(random() < 0.5 && { Limit: 1 + below(random, 3) }),
          ...(random() < 0.3 && { FilterExpression: 'revision > :r', ExpressionAttributeValues: { ':r': 1 } }),
        },
      };
    case 9:
      return {
        command: one(random, ['BatchGet']),
        input: {
          RequestItems: {
            [TableName]: {
              Keys: Array.from({ length: 1 + below(random, 3) }, () => keyOf(random, TableName)),
              ConsistentRead: true,
            },
          },
        },
      };
    case 10:
      return {
        command: 'BatchWrite',
        input: {
          RequestItems: {
            [TableName]: Array.from({ length: 1 + below(random, 3) }, () =>
              random() < 0.6
                ? { PutRequest: { Item: itemOf(random, TableName) } }
                : { DeleteRequest: { Key: keyOf(random, TableName) } },
            ),
          },
        },
      };
    default:
      return transaction(random);
  }
}

function queryOf(random: Random): Keys {
  const ranges: readonly Keys[] = [
    { KeyConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': one(random, ['a', 'b', 'c']) } },
    {
      KeyConditionExpression: 'id = :id AND begins_with(part, :p)',
      ExpressionAttributeValues: { ':id': 'a', ':p': 'n#' },
    },
    {
      KeyConditionExpression: 'id = :id AND part BETWEEN :p AND :q',
      ExpressionAttributeValues: { ':id': 'b', ':p': '1', ':q': '2' },
    },
    { KeyConditionExpression: 'id = :id AND part > :p', ExpressionAttributeValues: { ':id': 'c', ':p': '1' } },
    { KeyConditionExpression: 'part = :p', ExpressionAttributeValues: { ':p': '1' } },
  ];
  return {
    TableName: 'Rows',
    ...one(random, ranges),
    ...(random() < 0.5 && { Limit: 1 + below(random, 3) }),
    ...(random() < 0.3 && { ScanIndexForward: false }),
    ...(random() < 0.2 && { ExclusiveStartKey: { id: 'a', part: '2' } }),
    ...(random() < 0.2 && { Select: 'COUNT' }),
    ConsistentRead: random() < 0.5,
  };
}

function transaction(random: Random): RandomCall {
  if (random() < 0.15) {
    const TransactItems = Array.from({ length: 1 + below(random, 3) }, () => ({
      Get: { TableName: 'Rows', Key: keyOf(random, 'Rows') },
    }));
    return { command: 'TransactGet', input: { TransactItems } };
  }
  const TransactItems = Array.from({ length: 1 + below(random, 4) }, () => {
    const TableName = one(random, ['Rows', 'Singles']);
    const condition = { ...one(random, conditions)(), ...returns(random) };
    const kinds = [
      { Put: { TableName, Item: itemOf(random, TableName), ...condition } },
      { Delete: { TableName, Key: keyOf(random, TableName), ...condition } },
      { ConditionCheck: { TableName, Key: keyOf(random, TableName), ...condition } },
      { Update: { TableName, Key: keyOf(random, TableName), ...merged(condition, one(random, updates)()) } },
    ];
    return one(random, kinds);
  });
  const token = random() < 0.3 ? { ClientRequestToken: `token-${below(random, 20)}` } : {};
  return { command: 'TransactWrite', input: { TransactItems, ...token } };
}
