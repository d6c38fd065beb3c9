import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Environment } from '../contract/deployments.ts';

/** What a domain's own part of a personal export is given. */
export type ExportReach<T extends string> = {
  readonly dynamo: DynamoDBDocumentClient;
  /** The tables' names, by those that are declared. */
  readonly tables: Readonly<Record<T, string>>;
  readonly environment: Environment;
};

export type ExportedPerson = {
  readonly userId: string;
  readonly application: string;
  /** Of what is written to be read. */
  readonly locale: 'en' | 'de';
  readonly timeZone: string;
};

/** Where a page ended: plain JSON, kept while an export waits to go on. */
export type ExportPosition = { readonly [name: string]: ExportPosition | string | number | boolean | null };

type Page = { readonly next: ExportPosition | null };

/**
 * A page of a table's rows about a person, from where the last one ended (null: from the start). A page can be empty, and is
 * bounded: what is read at once is in memory at once. Rows come in the order of what a position says, so that one that was lost
 * is read again from the same place.
 */
export type ExportReader<T extends string> = (
  from: ExportReach<T>,
  person: ExportedPerson,
  after: ExportPosition | null,
) => Promise<Page & { readonly rows: readonly Readonly<Record<string, unknown>>[] }>;

/** The same of a file: the pieces of its text are put one after another. */
export type ExportWriter<T extends string> = (
  from: ExportReach<T>,
  person: ExportedPerson,
  after: ExportPosition | null,
) => Promise<Page & { readonly text: string }>;
