import type { Table } from './tables.ts';
import type { Uses } from './uses.ts';

/**
 * Whose data a table holds, and what an erasure of the account does with it. It is in `personal-data.ts` beside `tables.ts`, so that
 * no function carries it. The erasure, its grants and the page docs/data.md are derived from it.
 */
export type TableData = {
  /** How well the rows are protected: docs/data.md says what each level asks for. */
  readonly level: ProtectionLevel;
  /** The content of the rows: the page's columns. */
  readonly holds: string;
  readonly why: string;
  readonly howLong: string;
  readonly readers: string;
  /** The same for the German page of a personal export. Absent: that page says it in English. */
  readonly inGerman?: TableText;
  /** The people that a row is about; empty: nobody. A row can be about several people. */
  readonly people: readonly Person[];
};

/** From what anybody may know to what opens something. A table has the level of its most sensitive field. */
type ProtectionLevel = 'public' | 'internal' | 'personal' | 'health' | 'secret';

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
 * Whether the person's own export has these rows. `true`: the rows as they are, each field under its name. The service's
 * own fields (hashes of tokens, ARNs, revisions, keys that repeat other fields) are named and left out.
 */
type Without = { readonly without: readonly string[] };

/**
 * The domain's `exports.ts` exports a store that reads them: an `ExportReader` of `lib/runtime/exporter.ts`. It is for rows
 * that no key finds, and for rows that tell a person something else than the table says.
 */
type ReadBy = { readonly by: string; readonly uses: Uses };

/**
 * A domain's part of a personal export beyond the rows: a page or a file of another format. The domain's `exports.ts`
 * exports the function that writes it: an `ExportWriter` of `lib/runtime/exporter.ts`.
 */
export type ExportedFile = {
  /** In the ZIP: `consents.html` */
  readonly name: string;
  readonly holds: { readonly en: string; readonly de: string };
} & ReadBy;

/** The key that finds a person's rows. */
type Findable =
  /** The partition key is the person's id. */
  | 'partition'
  /** The partition key is made of these fields of another table's rows, joined by `#`. That table's partition key is the id. */
  | { readonly through: Table; readonly fields: readonly string[] };

/** In words, if no such key finds them. */
type Described = { readonly described: string };

/** The domain's `exports.ts` exports a store that does it: an `Eraser` of `lib/runtime/eraser.ts`. */
type Own = {
  readonly becomes: 'erased' | 'pseudonymous';
  readonly by: string;
  readonly uses: Uses;
};

type Keep = { readonly keep: string; readonly until: string };

/** Generated for a table whose rows an erasure deletes by a key. */
export type ErasedTable = {
  readonly table: Keys;
  /** Absent: the partition key is the person's id. Else it is made of these fields of another table's rows. */
  readonly through?: Keys;
  readonly fields?: readonly string[];
};
type Keys = Pick<Table, 'name' | 'partitionKey' | 'sortKey' | 'environments'>;

/** Generated for each table of a personal export: how its rows are found, and what the export says about them. */
export type ExportedTable = {
  readonly table: Keys;
  readonly through?: Keys;
  readonly fields?: readonly string[];
  /** Fields that are left out. */
  readonly without?: readonly string[];
  /** The name of the reader, if no key finds the rows. */
  readonly by?: string;
  readonly inEnglish: TableText;
  readonly inGerman?: TableText;
};

/** In the page's words: which data is held, why, for how long, and who reads it. */
export type TableText = Pick<TableData, 'holds' | 'why' | 'howLong' | 'readers'>;

export type ExportedDomain = { readonly domain: string; readonly tables: readonly ExportedTable[] };
