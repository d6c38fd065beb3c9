import { AthenaClient } from '@aws-sdk/client-athena';
import { questionNamed } from '../functions/analytics/questions.ts';
import { latestExport, openExport } from './analytics/answers.ts';
import { runStatement } from './analytics/athena.ts';
import { oneLine } from './progress.ts';
import { stateOutput } from './stack-outputs.ts';

type Source = { readonly stage?: string; readonly files?: string };

export async function run(id: string, parameters: readonly string[], { stage, files }: Source): Promise<void> {
  const question = questionNamed(id);
  if (question.parameters.length !== parameters.length) {
    throw new Error(`${id} takes ${question.parameters.map(({ name }) => name).join(', ') || 'nothing more'}`);
  }
  for (const text of parameters) {
    if (!isTime(text)) throw new Error(`${text} is no time such as 2026-11-22 00:00:00`);
  }
  if (files !== undefined) await askFiles(files);
  else if (stage !== undefined) await askAthena(stage);
  else throw new Error('name where the export is: --files folder, or --stage dev|staging|prod');

  async function askFiles(folder: string): Promise<void> {
    const answers = await openExport(folder, latestExport(folder));
    const columns = await answers.columnsOf(question);
    const rows = await answers.ask(question, parameters);
    answers.close();
    print(
      columns,
      rows.map((row) => Object.values(row)),
    );
  }

  async function askAthena(of: unknown): Promise<void> {
    const context = {
      client: new AthenaClient({ maxAttempts: 5, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } }),
      workGroup: await stateOutput(of, 'AnalyticsWorkGroupName'),
      database: await stateOutput(of, 'AnalyticsDatabaseName'),
      pollMs: 1000,
    };
    const { columns, rows, scannedBytes } = await runStatement(context, question.sql, parameters);
    print(columns, rows);
    console.error(`${(scannedBytes / 1e9).toFixed(3)} GB are billed as scanned`);
  }
}

/** Whether the day exists: JavaScript reads 31 April as 1 May. */
function isTime(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{3})?)?$/.test(text)) return false;
  const at = new Date(text.length > 10 ? `${text.replace(' ', 'T')}Z` : text);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text.slice(0, 10));
}

function print(columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]): void {
  console.log(columns.join('\t'));
  for (const row of rows) console.log(row.map((value) => oneLine(String(value ?? ''))).join('\t'));
}
