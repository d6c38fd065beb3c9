import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  type ScanCommandInput,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startDynamoDb } from '../../../lib/local/dynamodb/front.ts';
import { eventually } from '../../eventually.ts';
import { clientOf, createTable, errorOf, key, put, startDatabase } from './database.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dynamodb-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const start = () => startDatabase({ endpoint: undefined, dataDir });
const read = async (client: DynamoDBClient, TableName: string, p: string) =>
  (await client.send(new GetItemCommand({ TableName, Key: key(p) }))).Item;

test('tables, items and indexes are there after a restart', async () => {
  const first = await start();
  const TableName = await createTable(first.client);
  const Item = { ...key('kept'), g: { S: 'group' }, n: { N: '1' } };
  await first.client.send(new PutItemCommand({ TableName, Item }));
  await first.client.send(new PutItemCommand({ TableName, Item: key('gone') }));
  await first.client.send(new DeleteItemCommand({ TableName, Key: key('gone') }));
  await first.close();

  const second = await start();
  expect(await read(second.client, TableName, 'kept')).toEqual(Item);
  expect(await read(second.client, TableName, 'gone')).toBeUndefined();
  const query = new QueryCommand({
    TableName,
    IndexName: 'by-g',
    KeyConditionExpression: 'g = :g',
    ExpressionAttributeValues: { ':g': { S: 'group' } },
  });
  expect((await second.client.send(query)).Items).toEqual([{ ...key('kept'), g: { S: 'group' } }]);
  await second.close();
});

test('a token is remembered over a restart', async () => {
  const first = await start();
  const TableName = await createTable(first.client);
  const ClientRequestToken = randomUUID();
  const once = (n: number) =>
    new TransactWriteItemsCommand({
      TransactItems: [put(TableName, 'x', n, 'attribute_not_exists(p)')],
      ClientRequestToken,
    });
  await first.client.send(once(1));
  await first.close();
  const second = await start();
  await second.client.send(once(1));
  expect((await errorOf(second.client.send(once(2)))).name).toBe('IdempotentParameterMismatchException');
  await second.close();
});

test('a folder that is in use is a clear error', async () => {
  const first = await start();
  await expect(startDynamoDb({ dataDir })).rejects.toThrow(/is another local stage using it/);
  await first.close();
});

test('without a folder nothing is kept', async () => {
  const first = await startDatabase({ endpoint: undefined });
  const TableName = await createTable(first.client);
  await first.close();
  const second = await startDatabase({ endpoint: undefined });
  expect((await errorOf(read(second.client, TableName, 'x'))).name).toBe('ResourceNotFoundException');
  await second.close();
});

test('a killed process leaves every answered transaction whole and no part of another', async () => {
  const front = new URL('../../../lib/local/dynamodb/front.ts', import.meta.url);
  const script = `const { startDynamoDb } = await import(${JSON.stringify(front.href)});
    const { url } = await startDynamoDb({ dataDir: ${JSON.stringify(dataDir)} }); console.log(url);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await once(child.stdout, 'data');
  const client = clientOf(String(output).trim());
  const TableName = await createTable(client);
  // Large ones, so that a commit that is not written at once is caught in its middle.
  const SIZE = 60;
  const answered: string[] = [];
  const worker = async (name: number) => {
    for (let i = 0; ; i++) {
      const TransactItems = Array.from({ length: SIZE }, (_, part) => put(TableName, `${name}-${i}/${part}`));
      await client.send(new TransactWriteItemsCommand({ TransactItems }));
      answered.push(`${name}-${i}`);
    }
  };
  const workers = Promise.allSettled([0, 1, 2, 3].map(worker));
  await eventually(() => expect(answered.length).toBeGreaterThan(8));
  // The workers go on: four transactions are under way.
  child.kill('SIGKILL');
  await once(child, 'exit');
  await workers;
  client.destroy();

  const again = await start();
  const parts = new Map<string, number>();
  let from: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page = await again.client.send(new ScanCommand({ TableName, ExclusiveStartKey: from }));
    for (const item of page.Items ?? []) {
      const name = item.p?.S?.split('/')[0] ?? '';
      parts.set(name, (parts.get(name) ?? 0) + 1);
    }
    from = page.LastEvaluatedKey;
  } while (from);
  await again.close();
  expect([...parts.keys()]).toEqual(expect.arrayContaining(answered));
  expect([...parts].filter(([, count]) => count !== SIZE)).toEqual([]);
});
