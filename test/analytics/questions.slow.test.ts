import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExport } from '../../bin/analytics/answers.ts';
import { itemOf } from '../../bin/analytics/attribute-values.ts';
import type { Answers } from '../../bin/analytics/engine.ts';
import { writeExport } from '../../bin/analytics/files.ts';
import { sampleRows } from '../../bin/analytics/sample.ts';
import { sampleAnswers } from '../../bin/analytics/sample-answers.ts';
import { questionNamed, questions } from '../../functions/analytics/questions.ts';
import { exportedTables, views } from '../../functions/analytics/views.ts';

/** Slow, because the SQL engine is a tool that `npm test` does not need. */

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

test.each([
  ['before a revocation', '2026-01-13 09:59:59.999', ['research-1 2', 'research-2 1', 'terms-1 2']],
  ['at it', '2026-01-13 10:00:00.000', ['research-1 1', 'research-2 1', 'terms-1 2']],
  ['before an account ended', '2026-01-13 23:59:59.999', ['research-1 1', 'research-2 1', 'terms-1 2']],
  ['at its end', '2026-01-14 00:00:00.000', ['research-1 1', 'research-2 1', 'terms-1 1']],
  ['before somebody agreed again', '2026-01-20 09:59:59.999', ['research-1 1', 'research-2 1', 'terms-1 1']],
  ['at that', '2026-01-20 10:00:00', ['research-1 1', 'research-2 2', 'terms-1 1']],
  ['before all', '2026-01-05 08:59:59.999', []],
])('active consents %s', async (_case, at, people) => {
  const rows = await answers.ask(questionNamed('active-consents'), [at]);
  expect(rows.map((row) => `${row.version_id} ${row.people}`)).toEqual(people);
});

test('a week is the one of its Monday, also where the year ends in it', async () => {
  const root = join(folder, 'weeks');
  const dates = ['2025-12-28', '2025-12-29', '2026-01-04', '2026-01-05'];
  for (const table of exportedTables) {
    const rows = table === 'SleepEntries' ? dates.map((date) => ({ userId: 'u', date, isDeleted: false })) : [];
    await writeExport(join(root, table), { ...run, table }, rows.map(itemOf));
  }
  const made = await openExport(root, run.exportId);
  const rows = await made.ask({ sql: 'SELECT wake_week FROM diary_entries ORDER BY wake_date' });
  made.close();
  expect(rows.map((row) => row.wake_week)).toEqual(['2025-12-22', '2025-12-29', '2025-12-29', '2026-01-05']);
});

test('no view has free text, a name or an e-mail address', async () => {
  for (const { name } of views) {
    const rows = await answers.ask({ sql: `SELECT * FROM ${name}` });
    expect(rows.length, name).toBeGreaterThan(0);
    expect(JSON.stringify(rows), name).not.toMatch(/quoted|A name|@/);
  }
});

test('an empty table is a table: each question is answered', async () => {
  const empty = join(folder, 'empty');
  for (const table of exportedTables) await writeExport(join(empty, table), { ...run, table }, []);
  const nothing = await openExport(empty, run.exportId);
  for (const { id, sql, parameters } of questions) {
    expect(await nothing.ask({ sql }, sampleAnswers[id]?.parameters), id).toEqual([]);
    // What a reader sees then.
    expect(await nothing.columnsOf({ sql, parameters }), id).toHaveLength(sampleAnswers[id]?.rows[0]?.length ?? 0);
  }
  nothing.close();
});
