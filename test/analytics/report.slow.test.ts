import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openExport } from '../../bin/analytics/answers.ts';
import type { Answers } from '../../bin/analytics/engine.ts';
import { makeReport } from '../../bin/report/make.ts';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { exportId, exportSynthetic } from './synthetic-export.ts';

/** Slow, because the plots and the SQL engine are a tool that `npm test` does not need. */

const folder = mkdtempSync(join(tmpdir(), 'report-'));
const until = new Date('2026-03-02T00:00:00.000Z');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('it shows what the rows say, whole, without anything from elsewhere', async () => {
  // From before a new version of the privacy policy until after it.
  const rows = await exportSynthetic(folder, { patients: 6, days: 80, seed: 3, until: '2026-03-01' });
  const answers = await openExport(folder, exportId);
  const { page } = await makeReport(answers, until, 'Made up');
  answers.close();
  const latest = new Map<unknown, ConsentRecord>();
  for (const { table, item } of rows) {
    if (table === 'ConsentRecords') latest.set(item.userAgreement, item as unknown as ConsentRecord);
  }
  const people = (versionId: string) =>
    [...latest.values()].filter((record) => record.versionId === versionId && record.action === 'agreed').length;
  for (const versionId of ['privacy-policy-0.9', 'privacy-policy-1.0', 'research-data-1.0']) {
    const agreement = versionId.slice(0, -4);
    const cells = ['2026-03-02', agreement, versionId, people(versionId)].map((cell) => `<td>${cell}</td>`).join('');
    expect(page).toContain(`<tr>${cells}</tr>`);
  }
  // Consents, adherence, versions, and a plot for each of the six scores.
  expect(page.match(/<svg/g)).toHaveLength(9);
  expect(page.match(/role="img"/g)).toHaveLength(9);
  expect(page).not.toMatch(/<script|<link|<img|src=|url\(|@import/i);
  expect(page.replaceAll('http://www.w3.org/', '')).not.toMatch(/https?:/);
  expect(page).not.toMatch(/00000000-/);
  expect(page).toContain("default-src 'none'");
});

test('what is in the tables is text, and small groups are left out', async () => {
  const hostile = '</text></svg><script>alert(1)</script>';
  const rows: Readonly<Record<string, object[]>> = {
    first_at: [{ first_at: '2026-02-20 00:00:00.000' }],
    'FROM ranked r': [{ agreement_id: hostile, version_id: hostile, people: 7 }],
    therapy_week: [
      { therapy_week: 1, people: 5, nights: 7, adherence: 0.2 },
      { therapy_week: 2, people: 4, nights: 2, adherence: 0.5 },
    ],
    scores: [
      {
        questionnaire_id: hostile,
        questionnaire_version: '1',
        score_id: '"&quot;><script>',
        therapy_week: 0,
        responses: 4,
        mean_score: 1,
      },
      {
        questionnaire_id: hostile,
        questionnaire_version: '1',
        score_id: '"&quot;><script>',
        therapy_week: 1,
        responses: 5,
        mean_score: 1,
      },
    ],
    devices: [{ renewed_week: '2026-02-16', platform: 'ios', app_version: hostile, devices: 1 }],
  };
  const answers: Answers = {
    ask: async ({ sql }) => {
      if (sql.includes('STDDEV_SAMP')) return rows.scores as Awaited<ReturnType<Answers['ask']>>;
      const [, found = []] = Object.entries(rows).find(([part]) => sql.includes(part)) ?? [];
      return found as Awaited<ReturnType<Answers['ask']>>;
    },
    columnsOf: async () => [],
    close: () => {},
  };
  const { page } = await makeReport(answers, until, hostile);
  expect(page).not.toContain('<script');
  expect(page).toContain('alert(1)');
  expect(page).toContain('Week 1: 20 %');
  expect(page).not.toContain('Week 2');
  expect(page).toContain('These are left out: 2.');
});

test('without any data it says so, and one day of data is shown', async () => {
  const none: Answers = { ask: async () => [], columnsOf: async () => [], close: () => {} };
  const { page, isEmpty } = await makeReport(none, until, 'Nothing');
  expect(isEmpty).toBe(true);
  expect(page.match(/There is nothing to show/g)).toHaveLength(4);
  expect(page).not.toMatch(/undefined|NaN|<svg/);
  await exportSynthetic(join(folder, 'day'), { patients: 3, days: 1, seed: 3, until: '2026-03-01' });
  const answers = await openExport(join(folder, 'day'), exportId);
  const day = await makeReport(answers, until, 'One day');
  answers.close();
  expect(day.isEmpty).toBe(false);
  expect(day.page).not.toMatch(/undefined|NaN/);
  expect(day.page).toContain('<td>privacy-policy-1.0</td><td>3</td>');
});
