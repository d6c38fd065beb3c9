import { randomUUID } from 'node:crypto';
import { DynamoDBClient, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { commit } from '../../lib/runtime/commit.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { failureOf } from '../../lib/runtime/failure.ts';
import { contended, retryOnContention } from '../../lib/runtime/retry-on-contention.ts';
import { createTables } from '../tables.ts';

const Key = { userId: 'patient', sessionId: 'session' };

/** @param conflicts how many writes meet a transaction that is under way */
async function beside(conflicts: number) {
  let left = conflicts;
  const database = await startDynamoDb({
    intercept: ({ action }) => (action.endsWith('Item') && action !== 'GetItem' && left-- > 0 ? 'conflict' : undefined),
  });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = documentsOf(new DynamoDBClient({ endpoint: database.url, region: 'eu-central-1', credentials }));
  await createTables(client, ['Sessions']);
  return {
    client,
    close: async () => {
      client.destroy();
      await database.close();
    },
  };
}

test('a write that meets three transactions is made once', async () => {
  const { client, close } = await beside(3);
  await client.send(new PutCommand({ TableName: 'Sessions', Item: { ...Key, count: 1 } }));
  await client.send(
    new UpdateCommand({
      TableName: 'Sessions',
      Key,
      UpdateExpression: 'SET #count = #count + :one',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );
  const found = await client.send(new GetCommand({ TableName: 'Sessions', Key, ConsistentRead: true }));
  expect(found.Item).toEqual({ ...Key, count: 2 });
  await close();
});

test('where a transaction always has the row, the service is unavailable, and the write is not a defect', async () => {
  const { client, close } = await beside(Number.POSITIVE_INFINITY);
  const error = await client
    .send(new PutCommand({ TableName: 'Sessions', Item: Key }))
    .catch((thrown: unknown) => thrown);
  expect(failureOf(error).code).toBe('UNAVAILABLE');
  await close();
});

/** @param answers how many tries of the first transaction are answered that it is under way; it takes effect after the last of them */
function underWay(client: ReturnType<typeof documentsOf>, answers: number) {
  let left = answers;
  let begun: (() => Promise<unknown>) | undefined;
  client.middlewareStack.add((next) => async (args) => {
    if (left === 0) return next(args);
    left -= 1;
    begun ??= () => next(args);
    if (left === 0) await begun();
    throw new TransactionInProgressException({ message: 'under way', $metadata: {} });
  });
}

const anew = (client: ReturnType<typeof documentsOf>) => () => {
  const Item = { ...Key, sessionId: randomUUID() };
  return commit(client, [{ Put: { TableName: 'Sessions', Item } }]).then((isDone) => isDone || contended);
};

test('a transaction that the SDK sent twice is not decided anew while the first sending is under way', async () => {
  const { client, close } = await beside(0);
  underWay(client, 3);
  await retryOnContention(anew(client));
  const { Count } = await client.send(new ScanCommand({ TableName: 'Sessions', ConsistentRead: true }));
  expect(Count).toBe(1);
  await close();
});

test('one that stays under way is unavailable: it may take effect, so nobody decides anew', async () => {
  const { client, close } = await beside(0);
  underWay(client, Number.POSITIVE_INFINITY);
  const error = await retryOnContention(anew(client)).catch((thrown: unknown) => thrown);
  expect(failureOf(error).code).toBe('UNAVAILABLE');
  await close();
});
