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
import { isNone, type OfKey } from './key-range.ts';
import type { Any, Attributes, Holding, KeyIn, RowIn } from './table-handle.ts';

/** Reads and writes of single rows. Each table is a handle: it knows its client and its name. */

export type Key = Readonly<Record<string, unknown>>;
type Expressions = 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues';
/** On the row as it is at the write. */
export type Condition = Pick<PutCommandInput, Expressions>;
declare const attributes: unique symbol;
/** Only for the compiler: the attributes that the condition mentions. */
export type On<K> = { readonly [attributes]?: K };
type Names<Row> = Row extends unknown ? keyof Row : never;
/** A condition on attributes that some kind of row of the table has; on any where the rows are not known (`AnyHandle`). */
type ConditionOn<T> = Condition & On<[RowIn<T>] extends [never] ? PropertyKey : Names<RowIn<T>>>;
export type Change = Pick<UpdateCommandInput, Expressions | 'UpdateExpression'>;
export type Query = Omit<QueryCommandInput, 'TableName'>;
type Read = Pick<GetCommand['input'], 'ConsistentRead' | 'ProjectionExpression' | 'ExpressionAttributeNames'>;
/** A read that gives rows as they are declared: not only some of their attributes. */
export type Whole<Asked> = Asked & { readonly ProjectionExpression?: never };
/** The declared row. Any object where the rows are not known, or in tests, which write false rows on purpose. */
type Written<T> = [RowIn<T>] extends [never] ? object : Attributes extends RowIn<T> ? object : RowIn<T> & object;
/** `T` if the caller gave a type argument; otherwise the text that the compiler shows. */
export type Stated<Row, T> = [Row] extends [never] ? 'correct the key, or give the kind of row as a type argument' : T;

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

/** One Query, strongly consistent: a result has at most a megabyte. `queryEach` also reads the rest; `queryPage` says whether there is more. */
export function query<T extends Any<'query'>>(
  table: T,
  asked: Whole<Query> & OfKey<keyof KeyIn<T>>,
): Promise<Found<RowIn<T>>>;
/** Where rows are of several kinds, or only some attributes are read. */
export function query<Row = never>(
  table: Any<'query'> & Holding<NoInfer<Row>>,
  asked: Stated<Row, Query>,
): Promise<Found<Row>>;
export async function query(table: Any<'query'>, asked: Query): Promise<QueryCommandOutput> {
  return queryOf(table, asked);
}

/** `query` without types of rows, for functions over any table. */
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

/** Changes one row by itself. Creates the row if there is none, unless the condition forbids it. */
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
