import type { Environment } from './register.ts';
import { variableOf } from './variables.ts';

declare const row: unique symbol;

/** A DynamoDB table, as the domain that owns it declares it in its `tables.ts`. */
export type Table<N extends string = string, Row = unknown, Key extends string = string> = {
  readonly name: N;
  readonly partitionKey: Key;
  readonly sortKey?: Key;
  /** Only a type: nothing is there at run time. */
  readonly [row]?: Row;
  /** The table is a ledger: rows are put once, inside a transaction, and never changed (decision 2). */
  readonly ledger?: {
    /**
     * The attributes of its rows, the keys included. A function that appends writes these and no others. If `expiresAt` is
     * one of them, each row is put with its expiry, and nobody may set it later.
     * The watcher of the ledger reports a new row that lacks one. So it also reports what the old code appends during a release
     * that adds an attribute.
     */
    readonly attributes: readonly string[];
  };
  /** The only attributes that `adjust` may change: for rows of which a function changes little. */
  readonly adjustable?: readonly string[];
  /** Committed changes, with the row before and after, can be consumed for a day (`lib/contract/consumer.ts`). */
  readonly stream?: true;
  /** DynamoDB deletes rows some time after `expiresAt` (seconds since 1970). In a ledger the expiry role sets it, if rows are put without it. */
  readonly expires?: true;
  /** Absent: every environment. What an environment lacks is not in its template. */
  readonly environments?: readonly Environment[];
};

/** What a row of the table has. */
export type RowOf<T> = T extends Table<string, infer Row> ? Row : never;
/** The attributes of its key. */
export type KeyOf<T> = T extends Table<string, unknown, infer Key> ? Key : never;

/**
 * A table with its row: `table<Consent>()('Consents', { partitionKey: 'userId' })`. Curried, since the name's type is inferred and the
 * row's is not. Rows of several kinds are a union: a read states which one it expects.
 *
 * @param name also the name of the constant; the table's logical id and environment variable are derived from it
 */
export function table<Row = unknown>() {
  return <const N extends string, const Key extends unknown extends Row ? string : keyof Row & string>(
    name: N,
    declaration: Omit<Table<N, Row, Key>, 'name' | typeof row>,
  ): Table<N, Row, Key> => ({ name, ...declaration });
}

export function tableExistsIn({ environments }: Pick<Table, 'environments'>, environment: Environment): boolean {
  return environments?.includes(environment) ?? true;
}

/** The environment variable that carries a table's name: `ConsentRecords` → `CONSENT_RECORDS_TABLE`. */
export function tableVariable(table: Pick<Table, 'name'>): string {
  return variableOf(table, 'TABLE');
}
