import type { Environment } from '../contract/register.ts';

/** What a domain's own part of a personal export gets. */
export type ExportDependencies<T> = {
  /** By their declared names. */
  readonly tables: T;
  readonly environment: Environment;
};

export type ExportedPerson = {
  readonly userId: string;
  readonly application: string;
  /** The language of the texts that people read. */
  readonly locale: 'en' | 'de';
  readonly timeZone: string;
};

/** The place where a page ended: plain JSON, stored while an export waits to go on. */
export type ExportPosition = { readonly [name: string]: ExportPosition | string | number | boolean | null };

type Page = { readonly next: ExportPosition | null };

/**
 * A page of a table's rows about a person, from the place where the last one ended (null: from the start). A page can be
 * empty, and its size is limited, since all of it is in memory at once. The position defines the order of the rows, so a
 * lost page is read again from the same place.
 */
export type ExportReader<T> = (
  from: ExportDependencies<T>,
  person: ExportedPerson,
  after: ExportPosition | null,
) => Promise<Page & { readonly rows: readonly Readonly<Record<string, unknown>>[] }>;

/** The same for a file: the pieces of its text are concatenated. */
export type ExportWriter<T> = (
  from: ExportDependencies<T>,
  person: ExportedPerson,
  after: ExportPosition | null,
) => Promise<Page & { readonly text: string }>;
