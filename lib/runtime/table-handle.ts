import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { KeyOf, RowOf, Table } from '../contract/tables.ts';
import type { OfKind, TableNames, TableUse, Uses } from '../contract/uses.ts';

/**
 * A table of an environment, with the client that reads and writes its rows. A handler gets one for each table that its
 * declaration uses. The functions over it are in `rows.ts` and beside it, so that a bundle carries only what it calls.
 */
export type TableHandle = {
  readonly client: DynamoDBDocumentClient;
  /** The table's name in this environment. */
  readonly name: string;
};

declare const may: unique symbol;

/** What a function does with rows: `put`, `update`, `remove` and `check` in a transaction, `…Row` by themselves. */
export type Action =
  | 'get'
  | 'batchGet'
  | 'query'
  | 'scan'
  | 'put'
  | 'update'
  | 'remove'
  | 'check'
  | 'putRow'
  | 'updateRow'
  | 'removeRow';

/** A handle of a declared table, for the actions `A` only: all others do not compile. `kind` is a function, so that a handle of several kinds fits where one of them is asked for. */
export type Handle<T extends Table, A extends Action> = Of<RowOf<T>, KeyOf<T>, A, T['name']> & {
  readonly [may]: { readonly kind: (row: RowOf<T> | WithoutKey<RowOf<T>, KeyOf<T>>) => void };
};
/** Each kind of row without its key; kinds that have only the key are left out. */
type WithoutKey<Row, Key extends string> = Row extends unknown
  ? keyof Row extends Key
    ? never
    : Omit<Row, Key>
  : never;

/** A handle of whatever table, for the functions over handles. */
export type Any<A extends Action> = Of<unknown, string, A>;
type Typed = Of<unknown, string, never>;
export type Attributes = Readonly<Record<string, unknown>>;
/** The row of a handle's table. Of a table that is only known at run time, attributes of any kind. */
export type RowIn<T> = T extends Typed
  ? unknown extends T[typeof may]['row']
    ? Attributes
    : T[typeof may]['row']
  : Attributes;
export type KeyIn<T> = Readonly<Record<T extends Typed ? T[typeof may]['key'] : string, unknown>>;

/**
 * A handle of a table that has rows of this kind: `Row` is a declared kind, a subtype of one, or a type that every row has.
 */
export type Holding<Row> = TableHandle & {
  readonly [may]: { readonly kind: (row: Row) => void } | { readonly row: Row };
};

/** `Handle` by its parts; `Name` is the declared one. */
type Of<Row, Key extends string, A extends Action, Name extends string = string> = TableHandle & {
  readonly [may]: { readonly row: Row; readonly key: Key; readonly table: Name } & { readonly [K in A]: true };
};

/** What each access of a declaration allows, as the grants do (`lib/stack`). */
export type Allowed = {
  readonly get: 'get';
  readonly batch: 'batchGet';
  readonly read: 'get' | 'query';
  readonly scan: 'scan';
  readonly write: 'get' | 'query' | 'put' | 'update' | 'putRow' | 'updateRow';
  readonly remove: 'get' | 'query' | 'remove' | 'removeRow';
  readonly discard: 'remove';
  readonly append: 'put';
  readonly replace: 'put' | 'remove';
  readonly adjust: 'update';
  readonly expire: 'query' | 'updateRow';
  readonly check: 'check';
};

/** The handles of a declaration's tables, by their names. */
export type HandlesOf<U extends Uses | undefined> = {
  readonly [N in TableNames<U>]: Used<Extract<OfKind<U, 'table'>, { readonly table: { readonly name: N } }>>;
};

type Used<U> = [U] extends [TableUse<infer T, infer A>] ? Handle<T, Allowed[A]> : never;

/** @param name the table's name in the environment */
export function handleOf<T extends Table>(client: DynamoDBDocumentClient, name: string): Handle<T, Action> {
  const handle: TableHandle = { client, name };
  return handle as Handle<T, Action>;
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
): { readonly [N in T['name']]: Handle<Extract<T, { readonly name: N }>, Action> } {
  const handles = tables.map((table) => {
    if (!dynamo) throw new Error('the runtime has no client for the tables');
    return [table.name, handleOf(dynamo(), nameOf(table))] as const;
  });
  return Object.fromEntries(handles) as never;
}

/** A handle of whatever table and row: where a generated list says which table, only IAM decides what may be done. */
export type AnyHandle = Of<never, never, Action, never> & { readonly [may]: { readonly kind: (row: unknown) => void } };

/** @throws an Error where the declaration does not name the table */
export function handleNamed(tables: Readonly<Record<string, TableHandle>>, name: string): AnyHandle {
  const table = tables[name];
  if (!table) throw new Error(`the function's declaration does not use table ${name}`);
  return table as AnyHandle;
}
