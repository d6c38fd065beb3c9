import {
  DeleteCommand,
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
import { isNone } from './key-range.ts';
import type { Any, Attributes, Holding, KeyIn, RowIn } from './table-handle.ts';

/** Reads and writes of single rows. Each table is a handle: it knows its client and its name. */

export type Key = Readonly<Record<string, unknown>>;
type Expressions = 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues';
/** On the row as it is at the write. */
export type Condition = Pick<PutCommandInput, Expressions>;
declare const attributes: unique symbol;
/** Names the attributes that a condition is on, for the compiler. */
export type On<K> = { readonly [attributes]?: K };
type Names<Row> = Row extends unknown ? keyof Row : never;
/** A condition on attributes that rows of the table have. */
type ConditionOn<T> = Condition & On<[RowIn<T>] extends [never] ? PropertyKey : Names<RowIn<T>>>;
export type Change = Pick<UpdateCommandInput, Expressions | 'UpdateExpression'>;
export type Query = Omit<QueryCommandInput, 'TableName'>;
type Read = Pick<GetCommand['input'], 'ConsistentRead' | 'ProjectionExpression' | 'ExpressionAttributeNames'>;
/** A read that gives rows as they are declared: not only some of their attributes. */
export type Whole<Asked> = Asked & { readonly ProjectionExpression?: never };
/** A row to be written: any where the table is only known at run time, or to a test, which plants. */
type Written<T> = [RowIn<T>] extends [never] ? object : Attributes extends RowIn<T> ? object : RowIn<T> & object;
/** `T`, where the caller has stated the row's type. */
export type Stated<Row, T> = [Row] extends [never] ? 'no key of this table; or state the kind of row: get<Kind>(…)' : T;

/** @param read strongly consistent unless it says otherwise @returns null where there is no such row */
export function get<T extends Any<'get'>>(table: T, key: KeyIn<T>, read?: Whole<Read>): Promise<RowIn<T> | null>;
/** Where rows are of several kinds, or only some attributes are read: `get<Ticket>(tickets, key)`. */
export function get<Row = never>(
  table: Any<'get'> & Holding<NoInfer<Row>>,
  key: Stated<Row, Key>,
  read?: Read,
): Promise<Row | null>;
export async function get({ client, name }: Any<'get'>, key: Key, read: Read = {}): Promise<unknown> {
  const asked = new GetCommand({ TableName: name, Key: key, ConsistentRead: true, ...read });
  return (await client.send(asked)).Item ?? null;
}

type Found<Row> = Omit<QueryCommandOutput, 'Items'> & { readonly Items?: Row[] };

/** One Query, strongly consistent: DynamoDB ends it after a megabyte. `queryPage` and `queryEach` go on. */
export function query<T extends Any<'query'>>(table: T, asked: Whole<Query>): Promise<Found<RowIn<T>>>;
/** Where rows are of several kinds, or only some attributes are read. */
export function query<Row = never>(
  table: Any<'query'> & Holding<NoInfer<Row>>,
  asked: Stated<Row, Query>,
): Promise<Found<Row>>;
export async function query(table: Any<'query'>, asked: Query): Promise<QueryCommandOutput> {
  return queryOf(table, asked);
}

/** The same of a table that is only known at run time. */
export async function queryOf(
  { client, name }: Any<'query'>,
  asked: Query & { readonly [isNone]?: boolean },
): Promise<QueryCommandOutput> {
  if (asked[isNone]) return { Items: [], Count: 0, $metadata: {} };
  return client.send(new QueryCommand({ ...asked, TableName: name, ConsistentRead: true }));
}

/** Writes one row by itself. Most rows are written in a transaction, by `put` and `commit`. */
export function putRow<T extends Any<'putRow'>>({ client, name }: T, row: Written<T>, condition: ConditionOn<T> = {}) {
  return client.send(new PutCommand({ TableName: name, Item: row as Key, ...condition }));
}

/** Changes one row by itself, and makes it where it is absent and no condition says otherwise. */
export function updateRow<T extends Any<'updateRow'>>(
  { client, name }: T,
  key: KeyIn<T>,
  change: Change & Pick<UpdateCommandInput, 'ReturnValues' | 'ReturnValuesOnConditionCheckFailure'>,
) {
  return client.send(new UpdateCommand({ TableName: name, Key: key, ...change }));
}

/** Deletes one row by itself. */
export function removeRow<T extends Any<'removeRow'>>(
  { client, name }: T,
  key: KeyIn<T>,
  condition: ConditionOn<T> = {},
) {
  return client.send(new DeleteCommand({ TableName: name, Key: key, ...condition }));
}

/** A part of a transaction, which `commit` sends. */
export type TransactItem = {
  readonly client: DynamoDBDocumentClient;
  readonly write: NonNullable<TransactWriteCommandInput['TransactItems']>[number];
  /** See `counting`. */
  readonly isCount?: true;
};

export function put<T extends Any<'put'>>(
  { client, name }: T,
  row: Written<T>,
  condition: ConditionOn<T> = {},
): TransactItem {
  return { client, write: { Put: { TableName: name, Item: row as Key, ...condition } } };
}

export function update<T extends Any<'update'>>({ client, name }: T, key: KeyIn<T>, change: Change): TransactItem {
  const { UpdateExpression, ...condition } = change;
  return { client, write: { Update: { TableName: name, Key: key, UpdateExpression, ...condition } } };
}

export function remove<T extends Any<'remove'>>(
  { client, name }: T,
  key: KeyIn<T>,
  condition: ConditionOn<T> = {},
): TransactItem {
  return { client, write: { Delete: { TableName: name, Key: key, ...condition } } };
}

/** Nothing of the transaction is written unless the row fulfils the condition. */
export function check<T extends Any<'check'>>(
  { client, name }: T,
  key: KeyIn<T>,
  condition: ConditionOn<T> & { readonly ConditionExpression: string },
): TransactItem {
  return { client, write: { ConditionCheck: { TableName: name, Key: key, ...condition } } };
}
