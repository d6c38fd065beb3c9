import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadTool } from '../tools.ts';
import type { Answers, Engine } from './engine.ts';
import { dataFilesOf } from './files.ts';

/** The questions over the files of an export, on this machine. */

/** The answers from an export of all tables: `<folder>/<Table>/AWSDynamoDB/<exportId>/…`. @throws an Error if the files are incomplete */
export async function openExport(folder: string, exportId: string): Promise<Answers> {
  const { openAnswers } = await loadTool<Engine>(new URL('../tools/analytics/duck.ts', import.meta.url));
  return openAnswers((table) => dataFilesOf(join(folder, table), exportId));
}

/** The latest export of the ledger, which is exported last. An id begins with its time. @throws an Error if there is no export */
export function latestExport(folder: string): string {
  const ledger = join(folder, 'ConsentRecords', 'AWSDynamoDB');
  const latest = existsSync(ledger) ? readdirSync(ledger).toSorted().at(-1) : undefined;
  if (!latest) throw new Error(`${folder} has no export: \`npm run cli -- export-tables --local --out ${folder}\``);
  return latest;
}
