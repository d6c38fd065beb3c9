import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { declarations } from '../functions/domains.ts';
import { tableNamed } from '../lib/contract/declarations.ts';

/** The tables as declared, each under its own name, for tests that need no whole stage. */
export async function createTables(client: DynamoDBDocumentClient, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { partitionKey, sortKey } = tableNamed(declarations, name);
    const keys = sortKey ? [partitionKey, sortKey] : [partitionKey];
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: keys.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' })),
      }),
    );
  }
}
