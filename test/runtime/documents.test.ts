import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { failureOf } from '../../lib/runtime/failure.ts';
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
