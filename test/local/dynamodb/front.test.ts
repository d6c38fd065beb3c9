import { connect } from 'node:net';
import { crc32 } from 'node:zlib';
import { GetItemCommand, PutItemCommand, TransactWriteItemsCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import type { Call, Fault } from '../../../lib/local/dynamodb/front.ts';
import { startDynamoDb } from '../../../lib/local/dynamodb/front.ts';
import { eventually } from '../../eventually.ts';
import { givenUp } from '../given-up.ts';
import { clientOf, createTable, errorOf, key, put, startDatabase } from './database.ts';

let database: Awaited<ReturnType<typeof startDatabase>> | undefined;
afterEach(async () => {
  database?.client.destroy();
  await database?.server.close();
  database = undefined;
});

const SIGNED =
  'AWS4-HMAC-SHA256 Credential=me/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0';

function post(url: string, target: string, body: string, authorization = SIGNED): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'x-amz-target': target, 'x-amz-date': '20261121T000000Z', authorization },
    body,
  });
}

describe('the protocol', () => {
  test('answers with a checksum and a request id', async () => {
    database = await startDatabase();
    const response = await post(database.url, 'DynamoDB_20120810.ListTables', '{}');
    const body = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-amz-json-1.0');
    expect(response.headers.get('x-amz-crc32')).toBe(String(crc32(body)));
    expect(response.headers.get('x-amzn-requestid')).toMatch(/^[\w-]{20,}$/);
    expect(JSON.parse(body).TableNames).toBeInstanceOf(Array);
  });

  test.each([
    ['an unknown operation', 'DynamoDB_20120810.Nonsense', '{}', 'UnknownOperationException'],
    ['a body that is not JSON', 'DynamoDB_20120810.ListTables', '{', 'SerializationException'],
  ])('%s is a 400', async (_name, target, body, type) => {
    database = await startDatabase({ endpoint: undefined });
    const response = await post(database.url, target, body);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { __type: string }).__type).toMatch(new RegExp(`#${type}$`));
  });

  test('an unsigned call is a 400', async () => {
    database = await startDatabase();
    const response = await post(database.url, 'DynamoDB_20120810.ListTables', '{}', 'Bearer x');
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('MissingAuthenticationTokenException');
  });
});

describe('authorize', () => {
  test('gets the caller, the action and the input, and its refusal is AccessDeniedException', async () => {
    const seen: Call[] = [];
    database = await startDatabase({
      authorize(call) {
        seen.push(call);
        if (call.action !== 'PutItem') return undefined;
        const [action, resource, principal] = [
          'dynamodb:PutItem',
          'arn:aws:dynamodb:r:1:table/T',
          'arn:aws:iam::1:role/R',
        ];
        return {
          action,
          resource,
          principal,
          reason: 'because no identity-based policy allows it',
        };
      },
    });
    const table = await createTable(database.client);
    const client = clientOf(database.url, 'AKIAFUNCTION');
    const error = await errorOf(client.send(new PutItemCommand({ TableName: table, Item: key('x') })));
    expect(error.name).toBe('AccessDeniedException');
    expect(error.message).toBe(
      'User: arn:aws:iam::1:role/R is not authorized to perform: dynamodb:PutItem on resource: ' +
        'arn:aws:dynamodb:r:1:table/T because no identity-based policy allows it',
    );
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: key('x') }));
    expect(Item).toBeUndefined();
    expect(seen.at(-1)).toMatchObject({
      action: 'GetItem',
      accessKeyId: 'AKIAFUNCTION',
      input: { TableName: table },
    });
    client.destroy();
  });
});

describe('faults', () => {
  let fault: Fault | undefined;
  let writes: number;
  async function open() {
    fault = undefined;
    writes = 0;
    database = await startDatabase({
      intercept: ({ action }) => {
        if (action === 'PutItem') writes += 1;
        return fault;
      },
    });
    const { client } = database;
    const TableName = await createTable(client);
    const read = async () =>
      (
        await client.send(
          new GetItemCommand({
            TableName,
            Key: key('x'),
            ConsistentRead: true,
          }),
        )
      ).Item;
    const write = (abortSignal?: AbortSignal) =>
      client.send(new PutItemCommand({ TableName, Item: key('x') }), abortSignal ? { abortSignal } : {});
    const transact = () =>
      client.send(
        new TransactWriteItemsCommand({
          TransactItems: [put(TableName, 'x'), put(TableName, 'y')],
        }),
      );
    return { client, TableName, read, write, transact };
  }
  const without = async <T>(call: () => Promise<T>): Promise<T> => {
    fault = undefined;
    return call();
  };

  test.each([
    ['throttle', 'ThrottlingException', 400],
    ['conflict', 'TransactionConflictException', 400],
    ['error', 'InternalServerError', 500],
  ] as const)('%s refuses a write and does not apply it', async (name, type, status) => {
    const { read, write } = await open();
    fault = name;
    const error = await errorOf(write());
    expect(error.name).toBe(type);
    expect(error.$metadata).toMatchObject({ httpStatusCode: status });
    expect(await without(read)).toBeUndefined();
  });

  test.each([
    ['throttle', 'ThrottlingError'],
    ['conflict', 'TransactionConflict'],
  ] as const)('%s cancels a transaction', async (name, code) => {
    const { read, transact } = await open();
    fault = name;
    const error = await errorOf(transact());
    expect(error.name).toBe('TransactionCanceledException');
    expect(error.CancellationReasons).toMatchObject([{ Code: code }, { Code: 'None' }]);
    expect(error.message).toContain(`[${code}, None]`);
    expect(await without(read)).toBeUndefined();
  });

  test('conflict does not touch a read', async () => {
    const { read } = await open();
    fault = 'conflict';
    expect(await read()).toBeUndefined();
  });

  test('lose-response applies the call and closes the socket', async () => {
    const { read, transact } = await open();
    fault = 'lose-response';
    const error = await errorOf(transact());
    expect(error.message).toMatch(/socket hang up|ECONNRESET/);
    expect(await without(read)).toBeDefined();
  });

  test('hang never answers, and a close ends it', async () => {
    const { write, read } = await open();
    fault = 'hang';
    const come = eventually(() => expect(writes).toBe(1));
    const given = givenUp(write, come, () => without(read));
    expect((await errorOf(given)).name).toBe('AbortError');
    expect(await without(read)).toBeUndefined();
    fault = 'hang';
    const hanging = errorOf(write());
    await eventually(() => expect(writes).toBe(2));
    // The client keeps its socket: it is the server that must end it.
    await database?.server.close();
    expect((await hanging).message).toMatch(/socket hang up|ECONNRESET/);
  });

  test('garbage is no answer that the SDK can read', async () => {
    const { write } = await open();
    fault = 'garbage';
    expect((await errorOf(write())).name).toMatch(/SyntaxError|Error/);
  });

  test('only one call can be hit', async () => {
    let count = 0;
    database = await startDatabase({
      intercept: ({ action }) => (action === 'UpdateItem' && ++count === 2 ? 'error' : undefined),
    });
    const { client } = database;
    const TableName = await createTable(client);
    const update = () =>
      client.send(
        new UpdateItemCommand({
          TableName,
          Key: key('x'),
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
          ReturnValues: 'ALL_NEW',
        }),
      );
    await update();
    expect((await errorOf(update())).name).toBe('InternalServerError');
    expect((await update()).Attributes?.n).toEqual({ N: '2' });
  });
});

describe('close', () => {
  test('frees the port and leaves no handle, though a client keeps its socket open', async () => {
    const before = process.getActiveResourcesInfo().filter(isServerHandle).length;
    const server = await startDynamoDb();
    const client = clientOf(server.url);
    await createTable(client);
    const port = Number(new URL(server.url).port);
    await server.close();
    client.destroy();
    await expect(connectTo(port)).rejects.toThrow(/ECONNREFUSED/);
    const again = await startDynamoDb({ port });
    expect(again.url).toBe(`http://127.0.0.1:${port}`);
    await again.close();
    expect(process.getActiveResourcesInfo().filter(isServerHandle)).toHaveLength(before);
  });

  test('a taken port is an error', async () => {
    database = await startDatabase();
    const port = Number(new URL(database.url).port);
    await expect(startDynamoDb({ port })).rejects.toThrow(/EADDRINUSE/);
  });
});

describe('an external endpoint', () => {
  test('sees one access key whoever calls, and its answers and errors come through', async () => {
    const keys = new Set<string>();
    const external = await startDynamoDb({
      authorize(call) {
        keys.add(call.accessKeyId);
        expect(call.headers['x-amz-security-token']).toBeUndefined();
        return undefined;
      },
    });
    database = await startDatabase({
      endpoint: external.url,
      intercept: ({ action }) => (action === 'Scan' ? 'error' : undefined),
    });
    try {
      const table = await createTable(database.client);
      const other = clientOf(database.url, 'SOMEONEELSE');
      await other.send(new TransactWriteItemsCommand({ TransactItems: [put(table, 'x', 1)] }));
      const { Item } = await database.client.send(new GetItemCommand({ TableName: table, Key: key('x') }));
      expect(Item?.n).toEqual({ N: '1' });
      const again = new TransactWriteItemsCommand({
        TransactItems: [put(table, 'x', 2, 'attribute_not_exists(p)')],
      });
      expect((await errorOf(other.send(again))).CancellationReasons).toMatchObject([
        { Code: 'ConditionalCheckFailed' },
      ]);
      other.destroy();
      expect([...keys]).toEqual(['local']);
    } finally {
      await external.close();
    }
  });

  test('that is down is an InternalServerError', async () => {
    const external = await startDynamoDb();
    await external.close();
    database = await startDatabase({ endpoint: external.url });
    expect((await errorOf(createTable(database.client))).name).toBe('InternalServerError');
  });
});

const isServerHandle = (name: string) => name === 'TCPServerWrap';

function connectTo(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
}
