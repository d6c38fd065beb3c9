import { AthenaClient } from '@aws-sdk/client-athena';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type ExportedTable, exportedTables } from '../functions/analytics/views.ts';
import { makeViews } from './analytics/athena.ts';
import { exportTables } from './analytics/exports.ts';
import { exportLocal } from './analytics/local.ts';
import { stateOutput } from './stack-outputs.ts';

type Options = { readonly stage?: string; readonly local?: boolean; readonly out?: string; readonly run?: string };

const limits = { maxAttempts: 5, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } };

export async function run({ stage, local, out, run: wanted }: Options): Promise<void> {
  if (local && out !== undefined) await writeLocal(out);
  else if (stage !== undefined && out === undefined) await exportDeployed(stage, wanted);
  else throw new Error('name the stage: --stage dev|staging|prod, or --local --out folder for the running one');
}

async function writeLocal(out: string): Promise<void> {
  for (const [table, items] of await exportLocal(out)) console.error(`${table}: ${items} items`);
  console.log(`the export is in ${out}; ask a question: npm run cli -- ask consent-funnel --files ${out}`);
}

async function exportDeployed(stage: string, wanted: string | undefined): Promise<void> {
  // A few minutes ago, so the time is not in the future even if this machine's clock is wrong.
  const at = wanted === undefined ? new Date(Math.floor(Date.now() / 60_000 - 5) * 60_000) : timeOfRun(wanted);
  const run = wanted ?? runOf(at);
  const output = (name: string) => stateOutput(stage, name);
  const bucket = await output('AnalyticsBucketName').catch((error: unknown) => {
    if (!(error instanceof Error && error.message.includes('has no output'))) throw error;
    throw new Error(`${stage} has no analytics: set \`analytics\` in functions/settings.ts and deploy`);
  });
  const names = exportedTables.map(async (table) => [table, await output(`${table}TableName`)] as const);
  const tables = Object.fromEntries(await Promise.all(names)) as Record<ExportedTable, string>;
  const dynamo = new DynamoDBClient(limits);
  const progress = (line: string) => console.error(line);
  progress(
    `exporting the tables as they were at ${at.toISOString()}; if this command is interrupted, continue with --run ${run}`,
  );
  const keyArn = await output('AnalyticsKeyArn');
  const folders = await exportTables({ dynamo, tables, bucket, keyArn, run, at, pollMs: 15_000, progress });
  const context = {
    client: new AthenaClient(limits),
    workGroup: await output('AnalyticsWorkGroupName'),
    database: await output('AnalyticsDatabaseName'),
    pollMs: 1000,
  };
  await makeViews(context, (table) => folders[table]);
  console.log(
    `the views now use the export ${run}; ask a question: npm run cli -- ask consent-funnel --stage ${stage}`,
  );
}

/** `20261122T0935Z` contains the time of the export, so the same run exports the same rows again. */
function runOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace(/[-:]/g, '')}Z`;
}

function timeOfRun(run: string): Date {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)Z$/.exec(run) ?? [];
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  if (Number.isNaN(at.getTime())) throw new Error('a run is such as 20261122T0935Z');
  return at;
}
