import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { declarations } from '../functions/domains.ts';
import { tableNamed } from '../lib/contract/declarations.ts';
import type { RunningStage } from '../lib/local/index.ts';
import type { AnyHandle } from '../lib/runtime/table-handle.ts';

/** A test may do anything with a table, and says of what kind a row is. */
type Handles<N extends string> = { readonly [T in N]: AnyHandle };

/** The tables as declared, each under its own name, for tests that need no whole stage. */
export async function createTables<const N extends string>(
  client: DynamoDBDocumentClient,
  names: readonly N[],
): Promise<Handles<N>> {
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
  return handlesNamed(client, names);
}

/**
 * @param client or a function that gives it, where it is made later
 * @param nameOf the name in the database: the declared one by default, `data.tables` for a stage
 */
export function handlesNamed<const N extends string>(
  client: DynamoDBDocumentClient | (() => DynamoDBDocumentClient),
  names: readonly N[],
  nameOf: RunningStage['data']['tables'] = (name) => name,
): Handles<N> {
  const handles = names.map((table) => {
    const handle = {
      get client() {
        return typeof client === 'function' ? client() : client;
      },
      name: nameOf(table),
    };
    return [table, handle] as const;
  });
  return Object.fromEntries(handles) as Handles<N>;
}
