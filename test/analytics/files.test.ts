import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { latestExport } from '../../bin/analytics/answers.ts';
import { itemOf } from '../../bin/analytics/attribute-values.ts';
import { dataFilesOf, writeExport } from '../../bin/analytics/files.ts';
import { sampleRows } from '../../bin/analytics/sample.ts';
import { exportedTables } from '../../functions/analytics/views.ts';

const folder = mkdtempSync(join(tmpdir(), 'analytics-'));
const run = { exportId: '01770000000000-aaaaaaaa', now: new Date('2026-02-01T00:00:00.000Z') };

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an export has each item once, as it was', async () => {
  for (const table of exportedTables) {
    const items = sampleRows[table].map(itemOf);
    await writeExport(join(folder, table), { ...run, table }, items);
    const text = dataFilesOf(join(folder, table), run.exportId).map((path) => String(gunzipSync(readFileSync(path))));
    expect(text.join('')).toBe(items.map((item) => `${JSON.stringify({ Item: item })}\n`).join(''));
  }
});

test('an export that is not complete, or was changed, is refused', async () => {
  const other = join(folder, 'other');
  await writeExport(other, { ...run, table: 'other' }, sampleRows.Devices.map(itemOf));
  const [path = ''] = dataFilesOf(other, run.exportId);
  writeFileSync(path, 'changed');
  expect(() => dataFilesOf(other, run.exportId)).toThrow('is not what its manifest names');
  rmSync(join(other, 'AWSDynamoDB', run.exportId, 'manifest-summary.json'));
  expect(() => dataFilesOf(other, run.exportId)).toThrow('ENOENT');
});

test('a folder without an export says how to make one', () => {
  expect(() => latestExport(join(folder, 'nowhere'))).toThrow('has no export: `npm run cli -- export-tables');
});
