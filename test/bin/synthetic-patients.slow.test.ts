import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { itemOf } from '../../bin/analytics/attribute-values.ts';
import { itemsOfTable } from '../../bin/analytics/exports.ts';
import type { Item } from '../../bin/analytics/files.ts';
import { seededContents } from '../../bin/synthetic-patients/contents.ts';
import { syntheticPatients } from '../../bin/synthetic-patients/patients.ts';
import { rowsOf, type SyntheticTable } from '../../bin/synthetic-patients/rows.ts';
import { writePatients } from '../../bin/synthetic-patients/write.ts';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { createTables } from '../tables.ts';

const names = [
  'ConsentRecords',
  'ConsentStates',
  'Devices',
  'DeviceTokens',
  'LearningProgress',
  'QuestionnaireResponses',
  'SleepEntries',
  'Users',
] as const satisfies readonly SyntheticTable[];

const contents = await seededContents();
const patients = [...syntheticPatients({ patients: 3, days: 90, seed: 5, until: '2026-03-01' }, contents)];
const closing: (() => unknown)[] = [];

afterAll(async () => {
  for (const close of closing) await close();
});

test('whichever call is the last before a crash, the same command does the rest, and each row is there once', async () => {
  const database = await startDynamoDb();
  closing.push(() => database.close());
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const dynamo = new DynamoDBClient({ endpoint: database.url, region: 'eu-central-1', credentials, maxAttempts: 1 });
  closing.push(() => dynamo.destroy());
  const client = DynamoDBDocumentClient.from(dynamo);
  const tables = await createTables(client, names);
  let left = Number.POSITIVE_INFINITY;
  client.middlewareStack.add(
    (next) => async (args) => {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return next(args);
    },
    { step: 'initialize' },
  );
  let crashes = 0;
  for (let calls = 1; ; calls += 2) {
    left = calls;
    const written = await writePatients({ tables }, patients, contents).catch(() => null);
    if (written !== null) break;
    crashes += 1;
  }
  expect(crashes).toBeGreaterThan(5);
  left = Number.POSITIVE_INFINITY;
  expect(await writePatients({ tables }, patients, contents)).toBe(0);
  const rows = patients.flatMap((patient) => rowsOf(patient, contents.questionnaires));
  for (const name of names) {
    const found: Item[] = [];
    for await (const item of itemsOfTable(dynamo, name)) found.push(item);
    const wanted = rows.filter(({ table }) => table === name).map(({ item }) => itemOf(item));
    expect(sorted(found), name).toEqual(sorted(wanted));
  }
}, 60_000);

/** Whatever order the table gives them, and their attributes, in. */
function sorted(items: readonly Readonly<Record<string, unknown>>[]): string[] {
  return items.map((item) => JSON.stringify(ordered(item))).toSorted();
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, ordered(each)]),
  );
}
