import type { Environment } from './register.ts';
import { variableOf } from './variables.ts';

/** A DynamoDB table, as the domain that owns it declares it in its `tables.ts`. */
export type Table<N extends string = string> = {
  readonly name: N;
  readonly partitionKey: string;
  readonly sortKey?: string;
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

/** @param name also the name of the constant; the table's logical id and environment variable are derived from it */
export function table<const N extends string>(name: N, declaration: Omit<Table, 'name'>): Table<N> {
  return { name, ...declaration };
}

export function tableExistsIn({ environments }: Pick<Table, 'environments'>, environment: Environment): boolean {
  return environments?.includes(environment) ?? true;
}

/** The environment variable that carries a table's name: `ConsentRecords` → `CONSENT_RECORDS_TABLE`. */
export function tableVariable(table: Pick<Table, 'name'>): string {
  return variableOf(table, 'TABLE');
}
