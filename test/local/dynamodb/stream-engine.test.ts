import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DynamoDbOptions, Fault } from '../../../lib/local/dynamodb/front.ts';
import { authorize } from '../../../lib/local/iam.ts';
import { eventually } from '../../eventually.ts';
import { clientOf, createTable, errorOf, key, put, startDatabase } from './database.ts';
import { type Answers, createStreamed, streamsOf } from './streams.ts';

/** What DynamoDB Local cannot be asked: faults, the passing of a day, restarts, and how the front is wired. */
const HOUR = 3_600_000;
let opened: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const one of opened) await one.close();
  opened = [];
});

async function start(options: DynamoDbOptions = {}) {
  const database = await startDatabase({ endpoint: undefined, ...options });
  opened.push(database);
  return { ...database, streams: streamsOf(database.url) };
}
const putItem = (client: DynamoDBClient, TableName: string, p: string, more = {}) =>
  client.send(new PutItemCommand({ TableName, Item: { ...key(p), ...more } }));
const names = (records: Array<{ dynamodb: { Keys: { p: { S: string } } } }>) =>
  records.map(({ dynamodb }) => dynamodb.Keys.p.S).join('');

describe('time', () => {
  test('an iterator lives for fifteen minutes', async () => {
    const { client, streams } = await start();
    const { StreamArn } = await createStreamed(client);
    vi.useFakeTimers({ toFake: ['Date'] });
    const ShardIterator = await streams.iterator(StreamArn);
    vi.setSystemTime(Date.now() + 0.25 * HOUR);
    const { NextShardIterator } = await streams.call('GetRecords', { ShardIterator });
    vi.setSystemTime(Date.now() + 1);
    expect((await errorOf(streams.call('GetRecords', { ShardIterator }))).name).toBe('ExpiredIteratorException');
    await streams.call('GetRecords', { ShardIterator: NextShardIterator });
  });

  test('records live for a day', async () => {
    const { client, streams } = await start();
    const { TableName, StreamArn } = await createStreamed(client);
    vi.useFakeTimers({ toFake: ['Date'] });
    await putItem(client, TableName, 'a');
    await putItem(client, TableName, 'b');
    const [first, second] = (await streams.records(StreamArn)).map(({ dynamodb }) => dynamodb.SequenceNumber);
    vi.setSystemTime(Date.now() + 23.9 * HOUR);
    await putItem(client, TableName, 'c');
    expect(names(await streams.records(StreamArn))).toBe('abc');
    const early = await streams.iterator(StreamArn);
    vi.setSystemTime(Date.now() + 0.2 * HOUR);
    expect(names(await streams.records(StreamArn))).toBe('c');
    expect((await errorOf(streams.call('GetRecords', { ShardIterator: early }))).name).toBe(
      'TrimmedDataAccessException',
    );
    const at = (number = '') => streams.records(StreamArn, 'AT_SEQUENCE_NUMBER', number);
    expect((await errorOf(at(first))).name).toBe('TrimmedDataAccessException');
    // Who has read the last trimmed record has missed nothing.
    expect(names(await streams.records(StreamArn, 'AFTER_SEQUENCE_NUMBER', second))).toBe('c');

    vi.setSystemTime(Date.now() + 24 * HOUR);
    const idle = await streams.iterator(StreamArn);
    await putItem(client, TableName, 'd');
    const { Records } = await streams.call('GetRecords', { ShardIterator: idle });
    expect(names(Records)).toBe('d');
    expect(BigInt(Records[0]?.dynamodb.SequenceNumber ?? 0)).toBeGreaterThan(BigInt(second ?? 0));
  });

  test('a closed stream is gone after a day', async () => {
    const { client, streams } = await start();
    const { TableName, StreamArn } = await createStreamed(client);
    vi.useFakeTimers({ toFake: ['Date'] });
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled: false } }));
    vi.setSystemTime(Date.now() + 23.9 * HOUR);
    expect((await streams.describe(StreamArn)).StreamStatus).toBe('DISABLED');
    vi.setSystemTime(Date.now() + 0.2 * HOUR);
    expect((await errorOf(streams.describe(StreamArn))).name).toBe('ResourceNotFoundException');
    expect((await streams.call('ListStreams', {})).Streams).toEqual([]);
  });

  test('two streams of one millisecond are two', async () => {
    const { client } = await start();
    vi.useFakeTimers({ toFake: ['Date'] });
    const { TableName, StreamArn } = await createStreamed(client);
    const specify = (StreamSpecification: { StreamEnabled: boolean; StreamViewType?: 'KEYS_ONLY' }) =>
      client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
    await specify({ StreamEnabled: false });
    const { TableDescription } = await specify({ StreamEnabled: true, StreamViewType: 'KEYS_ONLY' });
    expect(TableDescription?.LatestStreamArn).not.toBe(StreamArn);
  });
});

describe('pages', () => {
  test('end at a megabyte, and hold one record at least', async () => {
    const { client, streams } = await start();
    const { TableName, StreamArn } = await createStreamed(client, 'NEW_IMAGE');
    for (const p of ['a', 'b', 'c', 'd']) await putItem(client, TableName, p, { v: { S: 'x'.repeat(390_000) } });
    let ShardIterator: string | undefined = await streams.iterator(StreamArn);
    const pages: string[] = [];
    for (let i = 0; i < 3; i++) {
      const page: Answers['GetRecords'] = await streams.call('GetRecords', { ShardIterator });
      pages.push(names(page.Records));
      ShardIterator = page.NextShardIterator;
    }
    expect(pages).toEqual(['ab', 'cd', '']);
  });

  test('an iterator of an empty stream sees its first record', async () => {
    const { client, streams } = await start();
    const { TableName, StreamArn } = await createStreamed(client);
    const { StartingSequenceNumber } = (await streams.describe(StreamArn)).shard.SequenceNumberRange;
    const iterators = await Promise.all([
      streams.iterator(StreamArn),
      streams.iterator(StreamArn, 'LATEST'),
      streams.iterator(StreamArn, 'AT_SEQUENCE_NUMBER', StartingSequenceNumber),
      streams.iterator(StreamArn, 'AFTER_SEQUENCE_NUMBER', StartingSequenceNumber),
    ]);
    // DynamoDB Local counts over all tables, and after a write elsewhere answers TrimmedDataAccessException here.
    await putItem(client, (await createStreamed(client)).TableName, 'elsewhere');
    await putItem(client, TableName, 'a');
    for (const ShardIterator of iterators) {
      expect(names((await streams.call('GetRecords', { ShardIterator })).Records)).toBe('a');
    }
  });

  test('a number that is not there yet is refused, since what comes before it would be skipped', async () => {
    const { client, streams } = await start();
    const { StreamArn } = await createStreamed(client);
    const { StartingSequenceNumber } = (await streams.describe(StreamArn)).shard.SequenceNumberRange;
    const later = String(BigInt(StartingSequenceNumber) + 5n);
    const error = await errorOf(streams.iterator(StreamArn, 'AFTER_SEQUENCE_NUMBER', later));
    expect(error.message).toBe('Invalid SequenceNumber for the shard');
  });

  test("an iterator tells a stream's ARN and no more", async () => {
    const { client, streams } = await start({ region: 'eu-central-1', accountId: '123456789012' });
    const { TableName, StreamArn } = await createStreamed(client);
    expect(StreamArn).toMatch(/^arn:aws:dynamodb:eu-central-1:123456789012:table\/Streamed-.*\/stream\/2/);
    expect(await streams.iterator(StreamArn)).toMatch(/^arn:[^|]*\|1\|[\w-]+$/);
    await putItem(client, TableName, 'a');
    expect(await streams.records(StreamArn)).toMatchObject([{ awsRegion: 'eu-central-1' }]);
  });
});

describe('the front', () => {
  test.each([
    ['throttle', 'ThrottlingException', 400],
    ['error', 'InternalServerError', 500],
  ] as const)('%s hits a stream call', async (fault, name, status) => {
    let injected: Fault | undefined;
    const { client, streams } = await start({
      intercept: ({ action }) => (action === 'GetRecords' ? injected : undefined),
    });
    const { StreamArn } = await createStreamed(client);
    const ShardIterator = await streams.iterator(StreamArn);
    injected = fault;
    expect(await errorOf(streams.call('GetRecords', { ShardIterator }))).toMatchObject({ name, status });
    injected = 'lose-response';
    expect((await errorOf(streams.call('GetRecords', { ShardIterator }))).message).toBe('fetch failed');
    injected = undefined;
    expect((await streams.call('GetRecords', { ShardIterator })).Records).toEqual([]);
  });

  test('tells the two APIs apart', async () => {
    const { url } = await start();
    for (const target of ['DynamoDB_20120810.ListStreams', 'DynamoDBStreams_20120810.ListTables']) {
      const headers = { 'x-amz-target': target, authorization: 'AWS4-HMAC-SHA256 Credential=me/1/r/dynamodb/x' };
      const response = await fetch(url, { method: 'POST', headers, body: '{}' });
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining('UnknownOperationException'),
      ]);
    }
  });

  test('IAM sees the stream of each call', async () => {
    const arn = 'arn:aws:dynamodb:eu-central-1:123456789012:table/Records';
    const ask = (action: string, input: Record<string, unknown>, Resource: string) =>
      authorize(
        { action, input },
        { arn: 'arn:aws:iam::123456789012:role/r', statements: [{ Effect: 'Allow', Action: 'dynamodb:*', Resource }] },
        [{ name: 'Records', arn }],
      );
    const StreamArn = `${arn}/stream/2026-11-21T14:39:16.477`;
    const local = StreamArn.replace('eu-central-1:123456789012', 'ddblocal:000000000000');
    const calls: Array<[string, Record<string, unknown>]> = [
      ['DescribeStream', { StreamArn }],
      ['DescribeStream', { StreamArn: local }],
      ['GetShardIterator', { StreamArn, ShardId: 's', ShardIteratorType: 'LATEST' }],
      ['GetRecords', { ShardIterator: `${StreamArn}|1|abc` }],
      ['GetRecords', { ShardIterator: `${local}|001|abc` }],
    ];
    for (const [action, input] of calls) {
      expect(ask(action, input, StreamArn)).toBeUndefined();
      expect(ask(action, input, `${arn}/stream/*`)).toBeUndefined();
      expect(ask(action, input, arn)).toMatchObject({ action: `dynamodb:${action}`, resource: StreamArn });
      expect(ask(action, input, `${arn}2/stream/*`)).toBeDefined();
    }
    expect(ask('ListStreams', { TableName: 'Records' }, `${arn}/stream/*`)).toBeUndefined();
    expect(ask('ListStreams', { TableName: 'Records' }, arn)).toBeDefined();
    expect(ask('ListStreams', {}, `${arn}/stream/*`)).toMatchObject({ resource: '*' });
    expect(ask('ListStreams', {}, '*')).toBeUndefined();
    expect(ask('GetRecords', { ShardIterator: 'junk' }, `${arn}/stream/*`)).toMatchObject({ resource: '*' });
  });

  test('onCommit tells of streams with new records, once for a burst', async () => {
    const { client, server, streams } = await start();
    const told: string[] = [];
    const stop = server.onCommit?.((arn) => told.push(arn));
    const { TableName, StreamArn } = await createStreamed(client);
    const other = await createTable(client);
    await putItem(client, other, 'a');
    expect(told).toEqual([]);
    const TransactItems = Array.from({ length: 50 }, (_, i) => put(TableName, String(i)));
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
    await eventually(() => expect(told).toEqual([StreamArn]));
    expect(await streams.records(StreamArn)).toHaveLength(50);
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
    await putItem(client, TableName, 'more');
    await eventually(() => expect(told).toEqual([StreamArn, StreamArn]));
    stop?.();
    const heard: string[] = [];
    server.onCommit?.((arn) => heard.push(arn));
    await putItem(client, TableName, 'unheard');
    await eventually(() => expect(heard).toEqual([StreamArn]));
    expect(told).toHaveLength(2);
    const forwarding = await start({ endpoint: server.url });
    expect(forwarding.server.onCommit).toBeUndefined();
    expect(names(await forwarding.streams.records(StreamArn, 'LATEST'))).toBe('');
  });
});

describe('on disk', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'dynamodb-streams-'));
  });
  afterEach(async () => {
    for (const one of opened) await one.close();
    opened = [];
    await rm(dataDir, { recursive: true, force: true });
  });
  const restart = async () => {
    for (const one of opened) await one.close();
    opened = [];
    return start({ dataDir });
  };

  test('streams, records and iterators outlive a restart', async () => {
    const first = await restart();
    const { TableName, StreamArn } = await createStreamed(first.client);
    for (let i = 0; i < 12; i++) await putItem(first.client, TableName, String(i), { n: { N: '1' } });
    const before = await first.streams.records(StreamArn);
    const ShardIterator = await first.streams.iterator(StreamArn, 'LATEST');

    const second = await restart();
    expect(await second.streams.records(StreamArn)).toEqual(before);
    const { Table } = await second.client.send(new DescribeTableCommand({ TableName }));
    expect(Table).toMatchObject({ LatestStreamArn: StreamArn, StreamSpecification: { StreamEnabled: true } });
    await putItem(second.client, TableName, 'new');
    expect(names((await second.streams.call('GetRecords', { ShardIterator })).Records)).toBe('new');
    await second.client.send(new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled: false } }));

    const third = await restart();
    await putItem(third.client, TableName, 'unseen');
    expect(await third.streams.records(StreamArn)).toHaveLength(13);
    expect((await third.streams.describe(StreamArn)).StreamStatus).toBe('DISABLED');
  });

  test('numbers go on when all before was trimmed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const first = await restart();
    const { TableName, StreamArn } = await createStreamed(first.client);
    for (const p of ['a', 'b']) await putItem(first.client, TableName, p);
    const last = (await first.streams.records(StreamArn)).at(-1)?.dynamodb.SequenceNumber;
    vi.setSystemTime(Date.now() + 25 * HOUR);
    expect(await first.streams.records(StreamArn)).toEqual([]);
    const second = await restart();
    await putItem(second.client, TableName, 'c');
    const [next] = await second.streams.records(StreamArn);
    expect(next?.dynamodb.SequenceNumber).toBe(String(BigInt(last ?? 0) + 1n));
  });

  test('after a crash there is a record for each item and an item for each record', async () => {
    const front = new URL('../../../lib/local/dynamodb/front.ts', import.meta.url);
    const script = `const { startDynamoDb } = await import(${JSON.stringify(front.href)});
      const { url } = await startDynamoDb({ dataDir: ${JSON.stringify(dataDir)} }); console.log(url);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await once(child.stdout, 'data');
    const client = clientOf(String(output).trim());
    const { TableName, StreamArn } = await createStreamed(client, 'KEYS_ONLY');
    let answered = 0;
    const worker = async (name: number) => {
      for (let i = 0; ; i++) {
        const TransactItems = Array.from({ length: 20 }, (_, part) => put(TableName, `${name}-${i}-${part}`));
        await client.send(new TransactWriteItemsCommand({ TransactItems }));
        answered += 20;
      }
    };
    const workers = Promise.allSettled([0, 1, 2].map(worker));
    await eventually(() => expect(answered).toBeGreaterThan(200));
    child.kill('SIGKILL');
    await once(child, 'exit');
    await workers;
    client.destroy();

    const again = await restart();
    const seen: string[] = [];
    let ShardIterator: string | undefined = await again.streams.iterator(StreamArn);
    for (let size = 1; size > 0; ) {
      const page: Answers['GetRecords'] = await again.streams.call('GetRecords', { ShardIterator });
      size = page.Records.length;
      seen.push(...page.Records.map(({ dynamodb }) => dynamodb.Keys.p.S));
      ShardIterator = page.NextShardIterator;
    }
    const { Table } = await again.client.send(new DescribeTableCommand({ TableName }));
    expect(new Set(seen).size).toBe(Table?.ItemCount);
    expect(seen.length).toBe(Table?.ItemCount);
    expect(seen.length).toBeGreaterThanOrEqual(answered);
    const { Item } = await again.client.send(new GetItemCommand({ TableName, Key: key(seen.at(-1) ?? '') }));
    expect(Item).toBeDefined();
  });
});
