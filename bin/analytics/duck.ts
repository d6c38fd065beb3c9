import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance, DuckDBTimestampValue, type DuckDBValue } from '@duckdb/node-api';
import { duckDb } from '../../lib/analytics/dialects.ts';
import type { Question } from '../../lib/analytics/questions.ts';
import { type ExportedTable, exportedTables, rawName, viewStatement, views } from '../../lib/analytics/views.ts';
import { dataFilesOf } from './files.ts';

/** Runs the questions on this machine, over the files of an export. */

export type Row = Readonly<Record<string, string | number | null>>;

export type Answers = {
  /** @param parameters in the order of the question's parameters */
  readonly ask: (question: Pick<Question, 'sql'>, parameters?: readonly string[]) => Promise<Row[]>;
  /** The names of the columns, also if there are no rows. */
  readonly columnsOf: (question: Pick<Question, 'sql' | 'parameters'>) => Promise<readonly string[]>;
  readonly close: () => void;
};

/**
 * @param filesOf the data files of each table
 * @throws an Error if a view cannot read the files
 */
export async function openAnswers(filesOf: (table: ExportedTable) => readonly string[]): Promise<Answers> {
  const instance = await DuckDBInstance.create(':memory:', {
    // DuckDB downloads nothing, and runs no code from a file: https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await instance.connect();
  for (const table of exportedTables) {
    const files = filesOf(table).map((path) => `'${path.replaceAll("'", "''")}'`);
    await connection.run(
      `CREATE VIEW ${rawName(table)} AS SELECT json AS line FROM read_json_objects([${files.join(', ')}], format = 'newline_delimited', compression = 'gzip')`,
    );
  }
  for (const view of views) await connection.run(viewStatement(view, duckDb));
  return {
    async ask({ sql }, parameters = []) {
      const reader = await connection.runAndReadAll(sql, [...parameters]);
      return reader.getRowObjects().map((row) => {
        return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));
      });
    },
    async columnsOf({ sql, parameters }) {
      const nothing = `SELECT * FROM (${sql}) AS answer LIMIT 0`;
      const examples = parameters.map(({ example }) => example);
      return (await connection.runAndReadAll(nothing, examples)).columnNames();
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** The same for an export of all tables: `<folder>/<Table>/AWSDynamoDB/<exportId>/…`. */
export function openExport(folder: string, exportId: string): Promise<Answers> {
  return openAnswers((table) => dataFilesOf(join(folder, table), exportId));
}

/** The latest export of the ledger, which is exported last. An id begins with its time. @throws an Error if there is no export */
export function latestExport(folder: string): string {
  const ledger = join(folder, 'ConsentRecords', 'AWSDynamoDB');
  const latest = existsSync(ledger) ? readdirSync(ledger).toSorted().at(-1) : undefined;
  if (!latest) throw new Error(`${folder} has no export: \`npm run export-tables -- --local --out ${folder}\``);
  return latest;
}

/** Counts are exact: an integer that a JavaScript number cannot represent is refused. */
function plain(value: DuckDBValue): string | number | null {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'bigint') {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new Error(`${value} is more than a number can say`);
    return number;
  }
  // The form of Athena: 2026-01-09 11:00:00.500
  if (value instanceof DuckDBTimestampValue) {
    return new Date(Number(value.micros / 1000n)).toISOString().replace('T', ' ').replace('Z', '');
  }
  return String(value);
}
