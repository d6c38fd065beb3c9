import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Question } from '../../functions/analytics/questions.ts';
import type { ExportedTable } from '../../functions/analytics/views.ts';
import { loadTool } from '../tools.ts';
import { dataFilesOf } from './files.ts';

/** The questions over the files of an export, on this machine. */

export type Row = Readonly<Record<string, string | number | null>>;

export type Answers = {
  /** @param parameters in the order of the question's parameters */
  readonly ask: (question: Pick<Question, 'sql'>, parameters?: readonly string[]) => Promise<Row[]>;
  /** The names of the columns, also if there are no rows. */
  readonly columnsOf: (question: Pick<Question, 'sql' | 'parameters'>) => Promise<readonly string[]>;
  readonly close: () => void;
};

/** What the engine's module exports. */
export type Engine = {
  /**
   * @param filesOf the data files of each table
   * @throws an Error if a view cannot read the files
   */
  readonly openAnswers: (filesOf: (table: ExportedTable) => readonly string[]) => Promise<Answers>;
};

/** The answers from an export of all tables: `<folder>/<Table>/AWSDynamoDB/<exportId>/…`. @throws an Error if the files are incomplete */
export async function openExport(folder: string, exportId: string): Promise<Answers> {
  const { openAnswers } = await loadTool<Engine>(new URL('../tools/analytics/duck.ts', import.meta.url));
  return openAnswers((table) => dataFilesOf(join(folder, table), exportId));
}

/** The latest export of the ledger, which is exported last. An id begins with its time. @throws an Error if there is no export */
export function latestExport(folder: string): string {
  const ledger = join(folder, 'ConsentRecords', 'AWSDynamoDB');
  const latest = existsSync(ledger) ? readdirSync(ledger).toSorted().at(-1) : undefined;
  if (!latest) throw new Error(`${folder} has no export: \`npm run export-tables -- --local --out ${folder}\``);
  return latest;
}
