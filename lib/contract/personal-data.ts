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
  /** The same for the German page of a personal export; where it is absent, that page says it in English. */
  readonly inGerman?: TableText;
  /** Whom a row is about; empty: nobody. A row can be about several people. */
  readonly people: readonly Person[];
};

/** For each table that a file declares. */
export type DataOf<Tables> = { readonly [N in keyof Tables]: TableData };

export type Person = {
  /** `the user`, `the administrator` */
  readonly who: string;
} & (
  | { readonly found: Findable; readonly onErasure: 'erase'; readonly inExport: boolean | Without | ReadBy }
  | { readonly found: Findable; readonly onErasure: Own | Keep; readonly inExport: boolean | Without | ReadBy }
  | { readonly found: Described; readonly onErasure: Own | Keep; readonly inExport: false | ReadBy }
);

/**
 * Whether the person's own export has these rows: `true` as they are, each field under its name. What is the service's own
 * (hashes of tokens, ARNs, revisions, keys that repeat other fields) is named and left out.
 */
type Without = { readonly without: readonly string[] };

/**
 * A store of the domain's, which its `exports.ts` hands on, reads them: an `ExportReader` of `lib/runtime/exporter.ts`. For rows
 * that no key leads to, and for those that say to a person something else than they say in the table.
 */
type ReadBy = { readonly by: string; readonly uses: Uses };

/**
 * What a personal export has of a domain beyond the rows: a page or a file of another format. A function that `exports.ts`
 * hands on writes it: an `ExportWriter` of `lib/runtime/exporter.ts`.
 */
export type ExportedFile = {
  /** In the ZIP: `consents.html` */
  readonly name: string;
  readonly holds: { readonly en: string; readonly de: string };
} & ReadBy;

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

/** What is generated for a personal export of each table: how its rows are found, and what the export says about them. */
export type ExportedTable = {
  readonly table: Keys;
  readonly through?: Keys;
  readonly fields?: readonly string[];
  /** Fields that are left out. */
  readonly without?: readonly string[];
  /** The name of the reader, where no key leads to the rows. */
  readonly by?: string;
  readonly inEnglish: TableText;
  readonly inGerman?: TableText;
};

/** In the page's words: what is held, why, for how long, and who reads it. */
export type TableText = Pick<TableData, 'holds' | 'why' | 'howLong' | 'readers'>;

export type ExportedDomain = { readonly domain: string; readonly tables: readonly ExportedTable[] };
