import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { afterAll } from 'vitest';
import { type DynamoDbOptions, startDynamoDb } from '../lib/local/dynamodb/front.ts';
import { guarded } from '../lib/runtime/accounts.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { createTables } from './tables.ts';

/**
 * Tables on a DynamoDB of this test file's own, which ends with the file's tests.
 *
 * @param until when it ends: `onTestFinished` for one that a test opens
 */
export async function localTables<const N extends string>(
  names: readonly N[],
  config: DynamoDBClientConfig = {},
  { until = afterAll, ...options }: DynamoDbOptions & { readonly until?: (end: () => Promise<void>) => void } = {},
) {
  const database = await startDynamoDb(options);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const place = { endpoint: database.url, region: 'eu-central-1', credentials };
  const client = guarded(documentsOf(new DynamoDBClient({ ...place, ...config })));
  until(async () => {
    client.destroy();
    await database.close();
  });
  return { client, tables: await createTables(client, names) };
}
