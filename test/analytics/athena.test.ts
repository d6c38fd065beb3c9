import {
  type AthenaClient,
  type GetQueryResultsCommand,
  type StartQueryExecutionCommand,
  StopQueryExecutionCommand,
} from '@aws-sdk/client-athena';
import { DescribeTableCommand, type DynamoDBClient, ExportTableToPointInTimeCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { makeViews, runStatement } from '../../bin/analytics/athena.ts';
import { exportTables } from '../../bin/analytics/exports.ts';
import { sampleAnswers, unlikeSample } from '../../bin/analytics/sample-answers.ts';
import { rawStatements } from '../../functions/analytics/raw-tables.ts';
import { exportedTables, views } from '../../functions/analytics/views.ts';

/** Athena and DynamoDB as their documents have them: what is sent, and what is made of the answers. */

type AthenaCommand = {
  readonly constructor: { readonly name: string };
  readonly input: Readonly<Record<string, unknown>>;
};

function athenaOf(states: readonly object[], pages: readonly object[] = [{ ResultSet: { Rows: [] } }]) {
  const asked: AthenaCommand[] = [];
  const left = [...states];
  const answers: Readonly<Record<string, (command: AthenaCommand) => object>> = {
    StartQueryExecutionCommand: () => ({ QueryExecutionId: 'q1' }),
    GetQueryExecutionCommand: () => ({
      QueryExecution: { Status: left.length > 1 ? left.shift() : left[0], Statistics: { DataScannedInBytes: 7 } },
    }),
    GetQueryResultsCommand: ({ input }) => pages[Number(input.NextToken ?? 0)] ?? {},
    StopQueryExecutionCommand: () => ({}),
  };
  const send = async (command: AthenaCommand) => {
    asked.push(command);
    return answers[command.constructor.name]?.(command) ?? {};
  };
  const client = { send } as unknown as AthenaClient;
  return { asked, place: { client, workGroup: 'group', database: 'base', pollMs: 1 } };
}

const row = (...values: (string | undefined)[]) => ({ Data: values.map((VarCharValue) => ({ VarCharValue })) });

test('all pages are answered, without the names that the first one begins with', async () => {
  const first = {
    ResultSet: { ResultSetMetadata: { ColumnInfo: [{ Name: 'a' }, { Name: 'b' }] }, Rows: [row('a', 'b'), row('1')] },
    NextToken: '1',
  };
  const { asked, place: context } = athenaOf(
    [{ State: 'QUEUED' }, { State: 'RUNNING' }, { State: 'SUCCEEDED' }],
    [first, { ResultSet: { Rows: [row('a', undefined)] } }],
  );
  expect(await runStatement(context, 'SELECT ?', ["it's"])).toEqual({
    columns: ['a', 'b'],
    rows: [['1'], ['a', null]],
    scannedBytes: 7,
  });
  expect((asked[0] as unknown as StartQueryExecutionCommand).input).toEqual({
    QueryString: 'SELECT ?',
    WorkGroup: 'group',
    QueryExecutionContext: { Database: 'base' },
    ExecutionParameters: ["'it''s'"],
  });
  expect((asked.at(-1) as unknown as GetQueryResultsCommand).input.NextToken).toBe('1');
});

test('why it failed is said, and what takes too long is stopped', async () => {
  const failing = athenaOf([{ State: 'FAILED', StateChangeReason: 'line 1:8: no such column' }]);
  await expect(runStatement(failing.place, 'SELECT x')).rejects.toThrow('FAILED: line 1:8: no such column');
  const endless = athenaOf([{ State: 'RUNNING' }]);
  const hurried = { ...endless.place, longestMs: 5 };
  await expect(runStatement(hurried, 'SELECT 1')).rejects.toThrow('the query is stopped');
  expect(endless.asked.at(-1)).toBeInstanceOf(StopQueryExecutionCommand);
});

test('the tables come before the views that read them', async () => {
  const { asked, place: context } = athenaOf([{ State: 'SUCCEEDED' }]);
  await makeViews(context, (table) => `s3://bucket/${table}/data/`);
  const statements = asked.flatMap(({ input }) => (typeof input.QueryString === 'string' ? [input.QueryString] : []));
  expect(statements).toHaveLength(2 * exportedTables.length + views.length);
  expect(statements[1]).toContain("LOCATION 's3://bucket/AccessLog/data/'");
  expect(statements.findIndex((text) => text.startsWith('CREATE OR REPLACE VIEW'))).toBe(2 * exportedTables.length);
  expect(() => rawStatements('Devices', "s3://bucket/'; DROP")).toThrow('no folder of a bucket');
});

test('all tables are exported as they were at one instant, and the same run asks for the same exports', async () => {
  const asked: ExportTableToPointInTimeCommand[] = [];
  const answer = (command: unknown) => {
    if (command instanceof DescribeTableCommand) return { Table: { TableArn: `arn:${command.input.TableName}` } };
    if (command instanceof ExportTableToPointInTimeCommand) {
      asked.push(command);
      return { ExportDescription: { ExportArn: command.input.S3Prefix } };
    }
    const { ExportArn = '' } = (command as { input: { ExportArn?: string } }).input;
    // With the prefix, and once without.
    const ExportManifest = `${ExportArn.endsWith('Devices') ? '' : `${ExportArn}/`}AWSDynamoDB/01-a/manifest-summary.json`;
    return { ExportDescription: { ExportStatus: 'COMPLETED', ExportManifest, ItemCount: 1, BilledSizeBytes: 10 } };
  };
  const dynamo = { send: async (command: unknown) => answer(command) } as unknown as DynamoDBClient;
  const tables = Object.fromEntries(exportedTables.map((table) => [table, `dev-${table}`])) as never;
  const at = new Date('2026-11-22T09:35:00.000Z');
  const run = '20261122T0935Z';
  const given = { dynamo, tables, bucket: 'bucket', keyArn: 'key', run, at, pollMs: 1, progress: () => {} };
  const folders = await exportTables(given);
  expect(folders.Devices).toBe(`s3://bucket/exports/${run}/Devices/AWSDynamoDB/01-a/data/`);
  expect(folders.SleepEntries).toBe(`s3://bucket/exports/${run}/SleepEntries/AWSDynamoDB/01-a/data/`);
  expect(asked).toHaveLength(exportedTables.length);
  for (const { input } of asked) {
    expect(input).toMatchObject({ ExportTime: at, S3SseAlgorithm: 'KMS', S3SseKmsKeyId: 'key', S3Bucket: 'bucket' });
    expect(input.ClientToken).toBe(`${run}-${input.TableArn?.replace('arn:dev-', '')}`);
  }
});

test('another answer than the known one is told by its question', () => {
  const known = Object.fromEntries(
    Object.entries(sampleAnswers).map(([id, { rows }]) => [
      id,
      rows.map((each) => each.map((value) => (value === null ? null : String(value)))),
    ]),
  );
  expect(unlikeSample(known)).toEqual([]);
  expect(unlikeSample({ ...known, looks: [] })).toEqual(['looks: []']);
  expect(unlikeSample({ ...known, scores: 'FAILED' })).toEqual(['scores: FAILED']);
  expect(unlikeSample({})).toHaveLength(6);
});

test('a parameter with an apostrophe stays one text', async () => {
  const { asked, place: context } = athenaOf([{ State: 'SUCCEEDED' }]);
  await runStatement(context, 'SELECT ?, ?', ["it's", "' OR '1'='1"]);
  const { ExecutionParameters } = (asked[0] as unknown as StartQueryExecutionCommand).input;
  expect(ExecutionParameters).toEqual(["'it''s'", "''' OR ''1''=''1'"]);
});
