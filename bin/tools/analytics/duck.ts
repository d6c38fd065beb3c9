import { DuckDBInstance, DuckDBTimestampValue, type DuckDBValue } from '@duckdb/node-api';
import { duckDb } from '../../../functions/analytics/dialects.ts';
import { exportedTables, rawName, viewStatement, views } from '../../../functions/analytics/views.ts';
import type { Engine } from '../../analytics/engine.ts';

/** Runs the questions in DuckDB. */

export const openAnswers: Engine['openAnswers'] = async (filesOf) => {
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
};

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
