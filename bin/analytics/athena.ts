import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AthenaClient,
  GetQueryExecutionCommand,
  GetQueryResultsCommand,
  StartQueryExecutionCommand,
  StopQueryExecutionCommand,
} from '@aws-sdk/client-athena';
import { athena } from '../../functions/analytics/dialects.ts';
import { rawStatements } from '../../functions/analytics/raw-tables.ts';
import { type ExportedTable, exportedTables, viewStatement, views } from '../../functions/analytics/views.ts';

/** Runs the questions in Athena, which reads a stage's exports in their bucket. */

export type AthenaContext = {
  readonly client: AthenaClient;
  readonly workGroup: string;
  readonly database: string;
  /** The time between two looks at a query. */
  readonly pollMs: number;
  /** After this time a query is stopped; the default is half an hour. */
  readonly longestMs?: number;
};

export type Result = {
  readonly columns: readonly string[];
  /** All values are texts, as in Athena's answer. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Athena bills these bytes. */
  readonly scannedBytes: number;
};

/**
 * @param parameters texts, in the order of the `?` in the statement
 * @throws an Error with Athena's reason if the query fails; and if it takes too long, after stopping it
 */
export async function runStatement(
  { client, workGroup, database, pollMs, longestMs = 30 * 60_000 }: AthenaContext,
  sql: string,
  parameters: readonly string[] = [],
): Promise<Result> {
  const { QueryExecutionId } = await client.send(
    new StartQueryExecutionCommand({
      QueryString: sql,
      WorkGroup: workGroup,
      QueryExecutionContext: { Database: database },
      // Athena puts the parameters into the statement without quoting them.
      ...(parameters.length > 0 && { ExecutionParameters: parameters.map(quoted) }),
    }),
  );
  if (!QueryExecutionId) throw new Error('Athena gave the query no id');
  for (let waited = 0; ; waited += pollMs) {
    const { QueryExecution } = await client.send(new GetQueryExecutionCommand({ QueryExecutionId }));
    const { State, StateChangeReason } = QueryExecution?.Status ?? {};
    if (State === 'SUCCEEDED') {
      const scannedBytes = QueryExecution?.Statistics?.DataScannedInBytes ?? 0;
      return { ...(await resultOf(client, QueryExecutionId)), scannedBytes };
    }
    if (State === 'FAILED' || State === 'CANCELLED') throw new Error(`${State}: ${StateChangeReason ?? 'no reason'}`);
    if (waited >= longestMs) {
      await client.send(new StopQueryExecutionCommand({ QueryExecutionId }));
      throw new Error('Athena took too long; the query is stopped');
    }
    await sleep(pollMs);
  }
}

async function resultOf(client: AthenaClient, QueryExecutionId: string): Promise<Omit<Result, 'scannedBytes'>> {
  let columns: string[] = [];
  const rows: (string | null)[][] = [];
  let NextToken: string | undefined;
  let isFirst = true;
  do {
    const page = await client.send(new GetQueryResultsCommand({ QueryExecutionId, NextToken }));
    const { ResultSetMetadata, Rows = [] } = page.ResultSet ?? {};
    if (isFirst) columns = (ResultSetMetadata?.ColumnInfo ?? []).map(({ Name = '' }) => Name);
    const texts = Rows.map(({ Data = [] }) => Data.map(({ VarCharValue }) => VarCharValue ?? null));
    // The first row of a SELECT has the names of the columns.
    rows.push(...(isFirst ? texts.slice(1) : texts));
    isFirst = false;
    NextToken = page.NextToken;
  } while (NextToken);
  return { columns, rows };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Makes the tables over an export, and the views over the tables. @param locationOf returns the folder of a table's data files */
export async function makeViews(context: AthenaContext, locationOf: (table: ExportedTable) => string): Promise<void> {
  for (const table of exportedTables) {
    for (const statement of rawStatements(table, locationOf(table))) await runStatement(context, statement);
  }
  for (const view of views) await runStatement(context, viewStatement(view, athena));
}
