import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../contract/tables.ts';

/**
 * A table of an environment, with the client that reads and writes its rows. A handler gets one for each table that its
 * declaration uses. The functions over it are in `rows.ts` and beside it, so that a bundle carries only what it calls.
 */
export type TableHandle = Pick<Table, 'partitionKey' | 'sortKey'> & {
  readonly client: DynamoDBDocumentClient;
  /** The table's name in this environment. */
  readonly name: string;
};

/** @param name the table's name in the environment */
export function handleOf(
  client: DynamoDBDocumentClient,
  { partitionKey, sortKey }: Pick<Table, 'partitionKey' | 'sortKey'>,
  name: string,
): TableHandle {
  return { client, name, partitionKey, ...(sortKey !== undefined && { sortKey }) };
}

/**
 * Functions, commands and tests make their handles by this.
 *
 * @param dynamo the client; absent in a function without tables
 * @throws an Error where there is a table and no client
 */
export function handlesOf<const T extends Table>(
  tables: readonly T[],
  nameOf: (table: T) => string,
  dynamo: (() => DynamoDBDocumentClient) | undefined,
): { readonly [N in T['name']]: TableHandle } {
  const handles = tables.map((table) => {
    if (!dynamo) throw new Error('the runtime has no client for the tables');
    return [table.name, handleOf(dynamo(), table, nameOf(table))] as const;
  });
  return Object.fromEntries(handles) as { readonly [N in T['name']]: TableHandle };
}
