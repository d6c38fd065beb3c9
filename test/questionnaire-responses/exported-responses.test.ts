import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readAllResponses } from '../../functions/questionnaire-responses/stores/exported-responses.ts';
import type { ExportPosition } from '../../lib/runtime/exporter.ts';
import { phq9 } from '../questionnaires/instruments.ts';
import { openResponses } from './open-responses.ts';

const responses = await openResponses();

test("a person's export has each response once, the completed ones too, page by page, and nobody else's", async () => {
  const [userId, other] = [randomUUID(), randomUUID()];
  const now = '2026-03-05T12:00:00.000Z';
  const who5 = [1, 2, 3, 4, 5].map((number) => ({ linkId: `who5-${number}`, choice: '3' }));
  const ids: string[] = [];
  for (let count = 0; count < 30; count += 1) {
    const { responseId } = await responses.write(userId, now, { answers: phq9() });
    if (count < 3) await responses.complete(userId, now, responseId);
    ids.push(responseId);
  }
  const ofBundle = { questionnaireId: 'who-5', bundleId: 'well-being', answers: who5 };
  ids.push((await responses.write(userId, now, ofBundle)).responseId);
  await responses.write(other, now);

  const { tables } = responses;
  const person = { userId, application: 'sleepcare', locale: 'en', timeZone: 'UTC' } as const;
  const rows: Readonly<Record<string, unknown>>[] = [];
  let position: ExportPosition | null = null;
  do {
    const page = await readAllResponses({ tables, environment: 'dev' }, person, position);
    rows.push(...page.rows);
    position = page.next;
  } while (position !== null);
  const whole = rows.filter(({ answers }) => answers !== undefined);
  expect(whole.map(({ responseId }) => responseId).toSorted()).toEqual(ids.toSorted());
  expect(whole.filter(({ status }) => status === 'completed')).toHaveLength(3);
  const [claim, ...more] = rows.filter(({ answers }) => answers === undefined);
  expect(claim).toMatchObject({ part: expect.stringMatching(/^occurrence#/), status: 'draft' });
  expect(more).toEqual([]);
  for (const row of rows) for (const name of ['revision', 'fingerprint']) expect(row).not.toHaveProperty(name);
});
