import type { Table } from './tables.ts';
import type { Uses } from './uses.ts';

/**
 * Whose data a table holds, and what becomes of it when an account is erased. It stands in `data.ts` beside `tables.ts`, so
 * that no function carries it. The erasure, its grants and the page docs/data.md follow from it.
 */
export type TableData = {
  /** What is in the rows: the page's columns. */
  readonly holds: string;
  readonly why: string;
  readonly howLong: string;
  readonly readers: string;
  /** Whom a row is about; empty: nobody. A row can be about several people. */
  readonly people: readonly Person[];
};

/** For each table that a file declares. */
export type DataOf<Tables> = { readonly [N in keyof Tables]: TableData };

export type Person = {
  /** `the user`, `the administrator` */
  readonly who: string;
  /** Whether the person's own export will have these rows. Nothing reads it yet: there is no such export so far. */
  readonly inExport: boolean;
} & (
  | { readonly found: Findable; readonly onErasure: 'erase' }
  | { readonly found: Findable | Described; readonly onErasure: Own | Keep }
);

/** By which key a person's rows are found. */
type Findable =
  /** The partition key is the person's id. */
  | 'partition'
  /** The partition key is made of these fields of the rows of another table, which has the id as its own, with `#` between. */
  | { readonly through: Table; readonly fields: readonly string[] };

/** In words, where no such key leads to them. */
type Described = { readonly described: string };

/** A store of the domain's, which its `exports.ts` hands on, does it: an `Eraser` of `lib/runtime/eraser.ts`. */
type Own = {
  readonly becomes: 'erased' | 'pseudonymous';
  readonly by: string;
  readonly uses: Uses;
};

type Keep = { readonly keep: string; readonly until: string };

/** A table whose rows an erasure deletes by a key: what is generated for it. */
export type ErasedTable = {
  readonly table: Keys;
  /** Absent: the partition key is the person's id. Else it is made of these fields of another table's rows. */
  readonly through?: Keys;
  readonly fields?: readonly string[];
};
type Keys = Pick<Table, 'name' | 'partitionKey' | 'sortKey' | 'environments'>;
