import {
  DeleteCommand,
  type DeleteCommandInput,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { TableHandle } from './table-handle.ts';

/** Reads and writes of single rows. Each table is a handle: it knows its client, its name and its keys. */

export type Key = Readonly<Record<string, unknown>>;
type Expressions = 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues';
/** On the row as it is at the write. */
export type Condition = Pick<PutCommandInput, Expressions>;
export type Change = Pick<UpdateCommandInput, Expressions | 'UpdateExpression'>;
export type Query = Omit<QueryCommandInput, 'TableName'>;

/** @param read strongly consistent unless it says otherwise @returns null where there is no such row */
export async function get<Row>(
  table: TableHandle,
  key: Key,
  read: Pick<GetCommand['input'], 'ConsistentRead' | 'ProjectionExpression' | 'ExpressionAttributeNames'> = {},
): Promise<Row | null> {
  const found = await table.client.send(
    new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true, ...read }),
  );
  return (found.Item as Row | undefined) ?? null;
}

/** One Query, strongly consistent: DynamoDB ends it after a megabyte. `queryPage` and `queryEach` go on. */
export function query(table: TableHandle, asked: Query): Promise<QueryCommandOutput> {
  return table.client.send(new QueryCommand({ ...asked, TableName: table.name, ConsistentRead: true }));
}

/** Writes one row by itself. Most rows are written in a transaction, by `put` and `commit`. */
export function putRow(table: TableHandle, row: object, condition: Condition = {}) {
  return table.client.send(
    new PutCommand({ TableName: table.name, Item: row as Record<string, unknown>, ...condition }),
  );
}

/** Changes one row by itself, and makes it where it is absent and no condition says otherwise. */
export function updateRow(
  table: TableHandle,
  key: Key,
  change: Change & Pick<UpdateCommandInput, 'ReturnValues' | 'ReturnValuesOnConditionCheckFailure'>,
) {
  return table.client.send(new UpdateCommand({ TableName: table.name, Key: key, ...change }));
}

/** Deletes one row by itself. */
export function removeRow(table: TableHandle, key: Key, condition: Pick<DeleteCommandInput, Expressions> = {}) {
  return table.client.send(new DeleteCommand({ TableName: table.name, Key: key, ...condition }));
}

/** A part of a transaction, which `commit` sends. */
export type TransactItem = {
  readonly client: DynamoDBDocumentClient;
  readonly write: NonNullable<TransactWriteCommandInput['TransactItems']>[number];
  /** See `counting`. */
  readonly isCount?: true;
};

export function put({ client, name }: TableHandle, row: object, condition: Condition = {}): TransactItem {
  return { client, write: { Put: { TableName: name, Item: row as Record<string, unknown>, ...condition } } };
}

export function update({ client, name }: TableHandle, key: Key, change: Change): TransactItem {
  const { UpdateExpression, ...condition } = change;
  return { client, write: { Update: { TableName: name, Key: key, UpdateExpression, ...condition } } };
}

export function remove({ client, name }: TableHandle, key: Key, condition: Condition = {}): TransactItem {
  return { client, write: { Delete: { TableName: name, Key: key, ...condition } } };
}

/** Nothing of the transaction is written unless the row fulfils the condition. */
export function check(
  { client, name }: TableHandle,
  key: Key,
  condition: Condition & { readonly ConditionExpression: string },
): TransactItem {
  return { client, write: { ConditionCheck: { TableName: name, Key: key, ...condition } } };
}
