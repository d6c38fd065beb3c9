import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  PutItemCommand,
  type StreamViewType,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { createTable, errorOf, key, put, startDatabase } from './database.ts';
import { createStreamed, streamsOf } from './streams.ts';

const database = await startDatabase();
const client = database.client;
const streams = streamsOf(database.url);
afterAll(() => database.close());

const putItem = (TableName: string, p: string, more = {}) =>
  client.send(new PutItemCommand({ TableName, Item: { ...key(p), ...more } }));
const update = (TableName: string, p: string, value: Record<string, unknown>) =>
  client.send(
    new UpdateItemCommand({
      TableName,
      Key: key(p),
      UpdateExpression: 'SET v = :v',
      ExpressionAttributeValues: { ':v': value as never },
    }),
  );
const remove = (TableName: string, p: string) => client.send(new DeleteItemCommand({ TableName, Key: key(p) }));
const specify = (TableName: string, StreamViewType?: StreamViewType) =>
  client.send(
    new UpdateTableCommand({
      TableName,
      StreamSpecification: { StreamEnabled: StreamViewType !== undefined, ...(StreamViewType && { StreamViewType }) },
    }),
  );

describe('records', () => {
  test('an insert, a change and a removal, each with its images', async () => {
    const { TableName, StreamArn } = await createStreamed(client);
    const before = Date.now();
    await putItem(TableName, 'a', { n: { N: '1' } });
    await update(TableName, 'a', { M: { deep: { L: [{ S: 'x' }, { NULL: true }] } } });
    await remove(TableName, 'a');
    const after = Date.now();
    const records = await streams.records(StreamArn);

    const first = { ...key('a'), n: { N: '1' } };
    const second = { ...first, v: { M: { deep: { L: [{ S: 'x' }, { NULL: true }] } } } };
    const base = { Keys: key('a'), StreamViewType: 'NEW_AND_OLD_IMAGES' };
    const envelope = { eventVersion: '1.1', eventSource: 'aws:dynamodb' };
    expect(records).toMatchObject([
      { ...envelope, eventName: 'INSERT', dynamodb: { ...base, NewImage: first, SizeBytes: 11 } },
      { ...envelope, eventName: 'MODIFY', dynamodb: { ...base, NewImage: second, OldImage: first } },
      { ...envelope, eventName: 'REMOVE', dynamodb: { ...base, OldImage: second } },
    ]);
    expect(records[0]?.dynamodb).not.toHaveProperty('OldImage');
    expect(records[2]?.dynamodb).not.toHaveProperty('NewImage');
    const envelopeKeys = ['awsRegion', 'dynamodb', 'eventID', 'eventName', 'eventSource', 'eventVersion'];
    for (const { dynamodb, ...record } of records) {
      expect(Object.keys({ dynamodb, ...record }).sort()).toEqual(envelopeKeys);
      expect(dynamodb.SequenceNumber).toMatch(/^\d{21}$/);
      expect(dynamodb.ApproximateCreationDateTime).toSatisfy(Number.isInteger);
      // DynamoDB Local rounds down to the minute.
      expect(Number(dynamodb.ApproximateCreationDateTime) * 1000).toBeGreaterThan(before - 61_000);
      expect(Number(dynamodb.ApproximateCreationDateTime) * 1000).toBeLessThanOrEqual(after);
    }
    const numbers = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
    expect(numbers).toEqual([...new Set(numbers)].sort());
    expect(new Set(records.map(({ eventID }) => eventID)).size).toBe(3);
    expect(await streams.records(StreamArn)).toEqual(records);
  });

  test.each([
    ['KEYS_ONLY', []],
    ['NEW_IMAGE', ['NewImage']],
    ['OLD_IMAGE', ['OldImage']],
    ['NEW_AND_OLD_IMAGES', ['NewImage', 'OldImage']],
  ] as const)('%s', async (viewType, images) => {
    const { TableName, StreamArn } = await createStreamed(client, viewType);
    await putItem(TableName, 'a');
    await update(TableName, 'a', { S: 'x' });
    const [, changed] = await streams.records(StreamArn);
    expect(changed).toMatchObject({ eventName: 'MODIFY', dynamodb: { StreamViewType: viewType, Keys: key('a') } });
    expect(Object.keys(changed?.dynamodb ?? {}).filter((name) => name.endsWith('Image'))).toEqual(images);
  });

  test('a write that changes nothing makes none', async () => {
    const { TableName, StreamArn } = await createStreamed(client);
    const binary = { b: { B: Buffer.from('bytes') }, bs: { BS: [Buffer.from('1'), Buffer.from('2')] } };
    const value = { M: { a: { SS: ['1', '2'] }, n: { NS: ['1', '2.5'] }, l: { L: [{ N: '1' }] } } };
    const same = { M: { l: { L: [{ N: '1.0' }] }, n: { NS: ['2.50', '1'] }, a: { SS: ['2', '1'] } } };
    await putItem(TableName, 'a', { v: value, ...binary });
    await putItem(TableName, 'a', { v: value, ...binary });
    await update(TableName, 'a', same);
    await remove(TableName, 'missing');
    await client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Update: { TableName, Key: key('a'), UpdateExpression: 'REMOVE nothing' } },
          { Delete: { TableName, Key: key('missing') } },
          { ConditionCheck: { TableName, Key: key('c'), ConditionExpression: 'attribute_not_exists(p)' } },
          put(TableName, 'b'),
        ],
      }),
    );
    const refused = new PutItemCommand({ TableName, Item: key('a'), ConditionExpression: 'attribute_not_exists(p)' });
    await errorOf(client.send(refused));
    // The order of a list is its value.
    await update(TableName, 'l', { L: [{ S: '1' }, { S: '2' }] });
    await update(TableName, 'l', { L: [{ S: '2' }, { S: '1' }] });
    const records = await streams.records(StreamArn);
    expect(records.map(({ eventName, dynamodb }) => [eventName, dynamodb.Keys.p.S])).toEqual([
      ['INSERT', 'a'],
      ['INSERT', 'b'],
      ['INSERT', 'l'],
      ['MODIFY', 'l'],
    ]);
  });

  test('a transaction has all of its own, in its order, and none when it is cancelled', async () => {
    const { TableName, StreamArn } = await createStreamed(client);
    const other = await createStreamed(client, 'KEYS_ONLY');
    const unstreamed = await createTable(client);
    await putItem(TableName, 'old');
    const TransactItems = [
      put(TableName, '3'),
      put(unstreamed, 'x'),
      put(TableName, '1'),
      { Delete: { TableName, Key: key('old') } },
      put(other.TableName, 'x'),
      put(TableName, '2'),
    ];
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
    const cancelled = [put(TableName, 'never'), put(TableName, '1', 0, 'attribute_not_exists(p)')];
    await errorOf(client.send(new TransactWriteItemsCommand({ TransactItems: cancelled })));
    const records = await streams.records(StreamArn);
    expect(records.map(({ eventName, dynamodb }) => eventName + dynamodb.Keys.p.S)).toEqual([
      'INSERTold',
      'INSERT3',
      'INSERT1',
      'REMOVEold',
      'INSERT2',
    ]);
    expect(await streams.records(other.StreamArn)).toHaveLength(1);
  });

  test('a repeated token adds none, a batch has its own', async () => {
    const { TableName, StreamArn } = await createStreamed(client);
    const once = new TransactWriteItemsCommand({
      TransactItems: [put(TableName, 't')],
      ClientRequestToken: TableName.slice(-36),
    });
    await client.send(once);
    await client.send(once);
    const requests = [{ PutRequest: { Item: key('b') } }, { DeleteRequest: { Key: key('t') } }];
    await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
    const records = await streams.records(StreamArn);
    expect(records.map(({ eventName, dynamodb }) => eventName + dynamodb.Keys.p.S).sort()).toEqual([
      'INSERTb',
      'INSERTt',
      'REMOVEt',
    ]);
  });

  test('of one item come in the order of its versions under parallel writes', async () => {
    const { TableName, StreamArn } = await createStreamed(client);
    const add = (p: string) =>
      client.send(
        new UpdateItemCommand({
          TableName,
          Key: key(p),
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        }),
      );
    const items = ['a', 'b', 'c'];
    await Promise.all(Array.from({ length: 20 }, () => items.map(add)).flat());
    const records = await streams.records(StreamArn);
    for (const p of items) {
      const versions = records
        .filter(({ dynamodb }) => dynamodb.Keys.p.S === p)
        .map(({ dynamodb }) => (dynamodb.NewImage as { n: { N: string } }).n.N);
      expect(versions).toEqual(Array.from({ length: 20 }, (_, i) => String(i + 1)));
    }
  });
});

describe('reading', () => {
  test('page by page, from each kind of iterator', async () => {
    const { TableName, StreamArn } = await createStreamed(client, 'KEYS_ONLY');
    await putItem(TableName, '0');
    const empty = await streams.call('GetRecords', { ShardIterator: await streams.iterator(StreamArn, 'LATEST') });
    expect(empty.Records).toEqual([]);
    for (const p of ['1', '2', '3', '4', '5']) await putItem(TableName, p);
    const names = (records: Awaited<ReturnType<typeof streams.records>>) =>
      records.map(({ dynamodb }) => dynamodb.Keys.p.S);

    const seen: string[] = [];
    let ShardIterator = empty.NextShardIterator;
    for (let page = 0; page < 4; page++) {
      const answer = await streams.call('GetRecords', { ShardIterator, Limit: 2 });
      seen.push(names(answer.Records).join(''));
      ShardIterator = answer.NextShardIterator;
      expect(ShardIterator).toBeTruthy();
    }
    expect(seen).toEqual(['12', '34', '5', '']);

    const all = await streams.records(StreamArn);
    const third = all[3]?.dynamodb.SequenceNumber ?? '';
    expect(names(all)).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(names(await streams.records(StreamArn, 'AT_SEQUENCE_NUMBER', third))).toEqual(['3', '4', '5']);
    expect(names(await streams.records(StreamArn, 'AFTER_SEQUENCE_NUMBER', third))).toEqual(['4', '5']);
    const last = all[5]?.dynamodb.SequenceNumber ?? '';
    expect(await streams.records(StreamArn, 'AFTER_SEQUENCE_NUMBER', last)).toEqual([]);
    expect(await streams.records(StreamArn, 'LATEST')).toEqual([]);
    // An iterator can be used again.
    const again = await streams.iterator(StreamArn);
    for (const _ of [1, 2]) expect((await streams.call('GetRecords', { ShardIterator: again })).Records).toEqual(all);
  });

  test('at most 1000 records at once', async () => {
    const { TableName, StreamArn } = await createStreamed(client, 'KEYS_ONLY');
    for (let batch = 0; batch < 11; batch++) {
      const TransactItems = Array.from({ length: 100 }, (_, i) => put(TableName, `${batch}-${i}`));
      await client.send(new TransactWriteItemsCommand({ TransactItems }));
    }
    const first = await streams.call('GetRecords', { ShardIterator: await streams.iterator(StreamArn) });
    expect(first.Records).toHaveLength(1000);
    const rest = await streams.call('GetRecords', { ShardIterator: first.NextShardIterator });
    expect(rest.Records).toHaveLength(100);
  });

  test('what is wrong is refused', async () => {
    const { StreamArn } = await createStreamed(client);
    const { ShardId } = (await streams.describe(StreamArn)).shard;
    const ShardIterator = await streams.iterator(StreamArn);
    const latest = { StreamArn, ShardId, ShardIteratorType: 'LATEST' };
    const at = { StreamArn, ShardId, ShardIteratorType: 'AT_SEQUENCE_NUMBER' };
    const cases: Array<[Parameters<typeof streams.call>[0], object, string, RegExp]> = [
      ['DescribeStream', {}, 'ValidationException', /Invalid StreamArn/],
      ['DescribeStream', { StreamArn: `${StreamArn}9` }, 'ResourceNotFoundException', /Stream: .* not found/],
      ['DescribeStream', { StreamArn, Limit: 0 }, 'ValidationException', /greater than or equal to 1/],
      ['ListStreams', { Limit: 101 }, 'ValidationException', /maximum allowed size: 100/],
      ['GetShardIterator', { StreamArn, ShardIteratorType: 'LATEST' }, 'ValidationException', /No ShardId/],
      ['GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'FOO' }, 'ValidationException', /IteratorType/],
      ['GetShardIterator', { ...latest, ShardId: `${ShardId}0` }, 'ResourceNotFoundException', /Shard does not exist/],
      ['GetShardIterator', { ...latest, StreamArn: `${StreamArn}9` }, 'ResourceNotFoundException', /Stream does not/],
      ['GetShardIterator', at, 'ValidationException', /Invalid SequenceNumber/],
      ['GetShardIterator', { ...at, SequenceNumber: '1' }, 'ValidationException', /length greater than/],
      ['GetShardIterator', { ...at, SequenceNumber: '0'.repeat(21) }, 'ValidationException', /for the shard/],
      [
        'GetShardIterator',
        { ...latest, SequenceNumber: '1'.repeat(21) },
        'ValidationException',
        /should not be passed/,
      ],
      ['GetRecords', {}, 'ValidationException', /Invalid ShardIterator/],
      ['GetRecords', { ShardIterator: `${StreamArn}|1|junk` }, 'ValidationException', /Invalid ShardIterator/],
      ['GetRecords', { ShardIterator, Limit: 0 }, 'ValidationException', /greater than or equal to 1/],
      ['GetRecords', { ShardIterator, Limit: 1001 }, 'ValidationException', /less than or equal to 1000/],
    ];
    for (const [action, input, name, message] of cases) {
      const error = await errorOf(streams.call(action, input));
      expect([action, input, error.name, error.status]).toEqual([action, input, name, 400]);
      expect(error.message).toMatch(message);
    }
  });
});

describe('streams', () => {
  test('a table tells its stream, and the stream its table', async () => {
    const { TableName, StreamArn } = await createStreamed(client, 'NEW_IMAGE');
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    expect(Table).toMatchObject({
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      LatestStreamArn: StreamArn,
      LatestStreamLabel: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
    });
    expect(StreamArn).toBe(`${Table?.TableArn}/stream/${Table?.LatestStreamLabel}`);
    const { StreamDescription } = await streams.call('DescribeStream', { StreamArn });
    expect(StreamDescription).toEqual({
      StreamArn,
      TableName,
      StreamLabel: Table?.LatestStreamLabel,
      StreamStatus: 'ENABLED',
      StreamViewType: 'NEW_IMAGE',
      CreationRequestDateTime: expect.any(Number),
      KeySchema: Table?.KeySchema,
      Shards: [
        {
          ShardId: expect.stringMatching(/^shardId-\d{20}-[0-9a-f]{8}$/),
          SequenceNumberRange: { StartingSequenceNumber: expect.stringMatching(/^\d{21}$/) },
        },
      ],
    });
    const ExclusiveStartShardId = StreamDescription.Shards[0]?.ShardId;
    const after = await streams.call('DescribeStream', { StreamArn, ExclusiveStartShardId });
    expect(after.StreamDescription.Shards).toEqual([]);
  });

  test('a table without one has none', async () => {
    const TableName = await createTable(client);
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    expect(Table?.StreamSpecification).toBeUndefined();
    expect(Table?.LatestStreamArn).toBeUndefined();
    expect((await streams.call('ListStreams', { TableName })).Streams).toEqual([]);
    expect((await errorOf(specify(TableName))).message).toBe('Table has no stream to disable');
  });

  test('a wrong specification is refused', async () => {
    const TableName = await createTable(client);
    const wrong = [{}, { StreamEnabled: true }, { StreamEnabled: false, StreamViewType: 'NEW_IMAGE' }];
    for (const StreamSpecification of [...wrong, { StreamEnabled: true, StreamViewType: 'SOME_IMAGE' }]) {
      const error = await errorOf(
        client.send(new UpdateTableCommand({ TableName, StreamSpecification: StreamSpecification as never })),
      );
      expect(error.name).toBe('ValidationException');
      expect(error.message).toMatch(/Stream/);
    }
  });

  test('disabling closes the shard, and enabling again begins another stream', async () => {
    const { TableName, StreamArn } = await createStreamed(client);
    expect((await errorOf(specify(TableName, 'KEYS_ONLY'))).message).toMatch(/^Table already has an enabled stream/);
    await putItem(TableName, 'a');
    const early = await streams.iterator(StreamArn);
    const latest = await streams.iterator(StreamArn, 'LATEST');
    await specify(TableName);
    await putItem(TableName, 'unseen');
    const closed = await streams.describe(StreamArn);
    expect(closed.StreamStatus).toBe('DISABLED');
    const read = await streams.call('GetRecords', { ShardIterator: early });
    expect(read.Records).toHaveLength(1);
    expect(read.NextShardIterator).toBeUndefined();
    expect(closed.shard.SequenceNumberRange.EndingSequenceNumber).toBe(read.Records[0]?.dynamodb.SequenceNumber);
    expect((await streams.call('GetRecords', { ShardIterator: latest })).NextShardIterator).toBeUndefined();
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    expect(Table?.StreamSpecification).toBeUndefined();
    expect(Table?.LatestStreamArn).toBe(StreamArn);

    const { TableDescription } = await specify(TableName, 'KEYS_ONLY');
    const next = TableDescription?.LatestStreamArn ?? '';
    expect(next).not.toBe(StreamArn);
    await putItem(TableName, 'b');
    expect((await streams.records(next)).map(({ dynamodb }) => dynamodb.Keys.p.S)).toEqual(['b']);
    expect(await streams.records(StreamArn)).toHaveLength(1);

    const { Streams } = await streams.call('ListStreams', { TableName });
    expect(Streams.map(({ StreamArn }) => StreamArn).sort()).toEqual([StreamArn, next]);
    const first = await streams.call('ListStreams', { TableName, Limit: 1 });
    const ExclusiveStartStreamArn = first.LastEvaluatedStreamArn;
    expect(first.Streams.at(-1)?.StreamArn).toBe(ExclusiveStartStreamArn);
    const second = await streams.call('ListStreams', { TableName, ExclusiveStartStreamArn });
    expect([first, second].flatMap(({ Streams }) => Streams)).toHaveLength(2);
    expect(second.LastEvaluatedStreamArn).toBeUndefined();
  });

  test('can be read after its table is gone', async () => {
    const { TableName, StreamArn } = await createStreamed(client);
    await putItem(TableName, 'a');
    await client.send(new DeleteTableCommand({ TableName }));
    expect((await streams.describe(StreamArn)).StreamStatus).toBe('DISABLED');
    const records = await streams.records(StreamArn);
    // The items go with the table, without records.
    expect(records.map(({ eventName }) => eventName)).toEqual(['INSERT']);
  });
});
