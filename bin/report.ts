import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { latestExport, openExport } from './analytics/answers.ts';
import { exportLocal } from './analytics/local.ts';
import { makeReport } from './report/make.ts';

type Options = { readonly local?: boolean; readonly files?: string; readonly out: string };

export async function run({ local, files, out }: Options): Promise<void> {
  if (!local && files === undefined) throw new Error('name what to report on: --local, or --files folder');
  const folder = files ?? mkdtempSync(join(tmpdir(), 'report-'));
  try {
    if (local) await exportLocal(folder);
    const exportId = latestExport(folder);
    const answers = await openExport(folder, exportId);
    // An id begins with the time of the export.
    const exportedAt = new Date(Number(exportId.split('-')[0]));
    const source = `${local ? 'The local stage' : `The files in ${folder}`}, exported ${exportedAt.toISOString()}.`;
    const { page, isEmpty } = await makeReport(answers, exportedAt, source);
    writeFileSync(out, page, { mode: 0o600 });
    answers.close();
    if (isEmpty) console.error('There is nothing to show yet: `npm run cli -- synthesize --local` makes patients.');
  } finally {
    if (local) rmSync(folder, { recursive: true, force: true });
  }
  console.log(`the report is in ${out}`);
}
