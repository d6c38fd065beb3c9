import { type Environment, environments } from './deployments.ts';
import { variableOf } from './variables.ts';

/** A DynamoDB table, as the domain that owns it declares it in its `tables.ts`. */
export type Table<N extends string = string> = {
  readonly name: N;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** The table is a ledger: rows are put once, inside a transaction, and never changed (decision 2). */
  readonly ledger?: {
    /** Of its rows, the keys included. Who appends puts these and no others, so no expiry either. */
    readonly attributes: readonly string[];
    /** Those that every row has, whichever version wrote it: all, unless some came later. */
    readonly always?: readonly string[];
  };
  /** Committed changes, with the row before and after, are there for a day to be consumed (`lib/contract/consumer.ts`). */
  readonly stream?: true;
  /** Rows go by themselves, some time after `expiresAt` (seconds since 1970); a ledger's once the expiry role has set it. */
  readonly expires?: true;
  /** Absent: every environment. What an environment lacks is not in its template. */
  readonly environments?: readonly Environment[];
};

/** @param name that of the constant, too: the table's logical id and environment variable follow from it */
export function table<const N extends string>(name: N, declaration: Omit<Table, 'name'>): Table<N> {
  return { name, ...declaration };
}

export function tableExistsIn(
  { environments: where = environments }: Pick<Table, 'environments'>,
  environment: Environment,
): boolean {
  return where.includes(environment);
}

/** The environment variable that carries a table's name: `ConsentRecords` → `CONSENT_RECORDS_TABLE`. */
export function tableVariable(table: Pick<Table, 'name'>): string {
  return variableOf(table, 'TABLE');
}
