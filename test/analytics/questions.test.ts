import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { itemOf } from '../../bin/analytics/attribute-values.ts';
import { type Answers, openExport } from '../../bin/analytics/duck.ts';
import { dataFilesOf, itemsIn, writeExport } from '../../bin/analytics/files.ts';
import { sampleRows } from '../../bin/analytics/sample.ts';
import { sampleAnswers } from '../../bin/analytics/sample-answers.ts';
import { questions } from '../../lib/analytics/questions.ts';
import { exportedTables, views } from '../../lib/analytics/views.ts';

const folder = mkdtempSync(join(tmpdir(), 'analytics-'));
const run = { exportId: '01770000000000-aaaaaaaa', now: new Date('2026-02-01T00:00:00.000Z') };
let answers: Answers;

beforeAll(async () => {
  for (const table of exportedTables) {
    await writeExport(join(folder, table), { ...run, table }, sampleRows[table].map(itemOf));
  }
  answers = await openExport(folder, run.exportId);
});

afterAll(() => {
  answers?.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(questions)('$id', async ({ id, sql, parameters }) => {
  const known = sampleAnswers[id];
  expect(known?.parameters).toHaveLength(parameters.length);
  const rows = await answers.ask({ sql }, known?.parameters);
  expect(rows.map((row) => Object.values(row))).toEqual(known?.rows);
});

test('an export has each item once, as it was', () => {
  for (const table of exportedTables) {
    expect(itemsIn(dataFilesOf(join(folder, table), run.exportId))).toEqual(sampleRows[table].map(itemOf));
  }
});

test('no view has free text, a name or an e-mail address', async () => {
  for (const { name } of views) {
    const rows = await answers.ask({ sql: `SELECT * FROM ${name}` });
    expect(rows.length, name).toBeGreaterThan(0);
    expect(JSON.stringify(rows), name).not.toMatch(/quoted|A name|@/);
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

test('an empty table is a table: each question is answered', async () => {
  const empty = join(folder, 'empty');
  for (const table of exportedTables) await writeExport(join(empty, table), { ...run, table }, []);
  const nothing = await openExport(empty, run.exportId);
  for (const { id, sql } of questions) {
    expect(await nothing.ask({ sql }, sampleAnswers[id]?.parameters), id).toEqual([]);
  }
  nothing.close();
});
