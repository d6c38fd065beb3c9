import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type DynamoDbOptions, startDynamoDb } from '../../../lib/local/dynamodb/front.ts';

/** With DYNAMODB_ENDPOINT the same tests run against Amazon's DynamoDB Local, through the same front. */
export const endpoint = process.env.DYNAMODB_ENDPOINT;

export async function startDatabase(options: DynamoDbOptions = {}) {
  const server = await startDynamoDb({ endpoint, ...options });
  const client = clientOf(server.url);
  return {
    url: server.url,
    client,
    server,
    async close() {
      client.destroy();
      await server.close();
    },
  };
}

export function clientOf(url: string, accessKeyId = 'tester'): DynamoDBClient {
  return new DynamoDBClient({
    endpoint: url,
    region: 'us-east-1',
    maxAttempts: 1,
    credentials: { accessKeyId, secretAccessKey: 'secret' },
  });
}

/** A table with keys `p` and `s`, and an index `by-g` on `g`, under a name of its own. */
export async function createTable(client: DynamoDBClient): Promise<string> {
  const TableName = `Table-${randomUUID()}`;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['p', 's', 'g'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [
        { AttributeName: 'p', KeyType: 'HASH' },
        { AttributeName: 's', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-g',
          KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
  return TableName;
}

export const key = (p: string, s = '1') => ({ p: { S: p }, s: { S: s } });

export function put(TableName: string, p: string, n = 0, ConditionExpression?: string): TransactWriteItem {
  const Item = { ...key(p), n: { N: String(n) } };
  return {
    Put: {
      TableName,
      Item,
      ...(ConditionExpression ? { ConditionExpression } : {}),
    },
  };
}

/** The error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await call;
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error('The call succeeded, and was expected to fail');
}
