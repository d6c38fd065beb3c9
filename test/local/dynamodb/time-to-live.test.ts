import {
  type AttributeValue,
  BatchWriteItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DynamoDbOptions } from '../../../lib/local/dynamodb/front.ts';
import { temporaryFolder } from '../stage/local-process.ts';
import { createTable, endpoint, key, startDatabase } from './database.ts';
import { createStreamed, streamsOf } from './streams.ts';

const now = Date.UTC(2026, 0, 1);
const at = (more: number) => ({ N: String(now / 1000 + more) });
const year = 365 * 24 * 60 * 60;

async function started(options: DynamoDbOptions = {}) {
  const database = await startDatabase(options);
  onTestFinished(database.close);
  const { client, server } = database;
  const expire = server.expire ?? (() => Promise.reject(new Error('This database does its own')));
  const enable = (TableName: string, Enabled = true) =>
    client.send(
      new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { Enabled, AttributeName: 'expiresAt' } }),
    );
  const fill = (TableName: string, items: Record<string, Record<string, AttributeValue>>) =>
    client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          [TableName]: Object.entries(items).map(([p, more]) => ({
            PutRequest: { Item: { ...key(p), g: { S: 'group' }, ...more } },
          })),
        },
      }),
    );
  const left = async (TableName: string) =>
    (await client.send(new ScanCommand({ TableName }))).Items?.map(({ p }) => p?.S).sort();
  return { ...database, expire, enable, fill, left };
}

// DynamoDB Local sweeps by itself, when it likes.
describe.skipIf(endpoint)('the time to live', () => {
  test('takes what is past, of the right type and not of another age', async () => {
    const { client, expire, enable, fill, left } = await started();
    const TableName = await createTable(client);
    await enable(TableName);
    await fill(TableName, {
      past: { expiresAt: at(-1) },
      long: { expiresAt: at(-4 * year) },
      now: { expiresAt: at(0) },
      future: { expiresAt: at(1) },
      milliseconds: { expiresAt: { N: String(now - 1) } },
      tooLong: { expiresAt: at(-6 * year) },
      text: { expiresAt: { S: at(-1).N } },
      none: {},
    });
    expect(await expire(now)).toBe(2);
    expect(await left(TableName)).toEqual(['future', 'milliseconds', 'none', 'now', 'text', 'tooLong']);
    const ofGroup = { KeyConditionExpression: 'g = :g', ExpressionAttributeValues: { ':g': { S: 'group' } } };
    const { Count } = await client.send(new QueryCommand({ TableName, IndexName: 'by-g', ...ofGroup }));
    expect(Count).toBe(6);
  });

  test('does not change a table that has none, or no longer has it', async () => {
    const { client, expire, enable, fill, left } = await started();
    const [never, once] = [await createTable(client), await createTable(client)];
    await enable(once);
    await enable(once, false);
    for (const TableName of [never, once]) await fill(TableName, { past: { expiresAt: at(-1) } });
    expect(await expire(now)).toBe(0);
    for (const TableName of [never, once]) expect(await left(TableName)).toEqual(['past']);
  });

  test('asks once for a table, and only where something is past', async () => {
    const asked: string[] = [];
    const mayExpire = (name: string) => asked.push(name) > 1;
    const { client, expire, enable, fill, left } = await started({ mayExpire });
    const TableName = await createTable(client);
    await enable(TableName);
    await expire(now);
    expect(asked).toEqual([]);
    await fill(TableName, { a: { expiresAt: at(-1) }, b: { expiresAt: at(-1) } });
    expect(await expire(now)).toBe(0);
    expect(asked).toEqual([TableName]);
    expect(await left(TableName)).toEqual(['a', 'b']);
    expect(await expire(now)).toBe(2);
  });

  test('is DynamoDB itself in the stream, also after a restart', async () => {
    const dataDir = temporaryFolder();
    const first = await started({ dataDir });
    const { TableName, StreamArn } = await createStreamed(first.client);
    await first.enable(TableName);
    await first.fill(TableName, { past: { expiresAt: at(-1) } });
    await first.expire(now);
    await first.close();
    const second = await started({ dataDir });
    const records = await streamsOf(second.url).records(StreamArn);
    expect(records).toMatchObject([
      { eventName: 'INSERT' },
      {
        eventName: 'REMOVE',
        userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' },
        dynamodb: { Keys: key('past'), OldImage: { expiresAt: at(-1) } },
      },
    ]);
    expect(records[0]).not.toHaveProperty('userIdentity');
    expect(await second.left(TableName)).toEqual([]);
  });
});
