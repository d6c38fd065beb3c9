import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { latestExport, openExport } from './analytics/answers.ts';
import { exportLocal } from './analytics/local.ts';
import { makeReport } from './report/make.ts';

/**
 * `npm run report -- --local [--out report.html]`: makes a page with plots from the running local stage. With `--files folder` it uses
 * an export that `npm run export-tables` has written.
 */

try {
  const { values } = parseArgs({
    options: {
      local: { type: 'boolean' },
      files: { type: 'string' },
      out: { type: 'string', default: 'report.html' },
    },
  });
  const { local = false, files, out } = values;
  if (local === (files !== undefined))
    throw new Error('npm run report -- --local | --files folder [--out report.html]');
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
    if (isEmpty) console.error('There is nothing to show yet: `npm run synthesize -- --local` makes patients.');
  } finally {
    if (local) rmSync(folder, { recursive: true, force: true });
  }
  console.log(`the report is in ${out}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
