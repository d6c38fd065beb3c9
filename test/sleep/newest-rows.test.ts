import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readNewestEntries } from '../../functions/sleep/stores/newest-rows.ts';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { createTables, handlesNamed } from '../tables.ts';

let database: Awaited<ReturnType<typeof startDynamoDb>>;
let client: DynamoDBDocumentClient;
const { SleepEntries } = handlesNamed(() => client, ['SleepEntries']);

beforeAll(async () => {
  database = await startDynamoDb();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = documentsOf(new DynamoDBClient({ endpoint: database.url, region: 'eu-central-1', credentials }));
  await createTables(client, ['SleepEntries']);
});
afterAll(async () => {
  client.destroy();
  await database.close();
});

test('the pages of a diary have each entry once, newest first; what was deleted makes a page shorter', async () => {
  const dates = ['2026-03-01', '2026-03-02', '2026-03-04', '2026-03-05', '2026-03-07'];
  for (const date of dates) {
    const there = date === '2026-03-04' ? { isDeleted: true } : { isDeleted: false, content: {}, night: {} };
    await putRow(SleepEntries, { userId: 'one', date, ...there });
  }
  const pages: string[][] = [];
  let after: string | null = null;
  do {
    const page = await readNewestEntries(SleepEntries, 'one', { limit: 2, after });
    pages.push(page.dates);
    after = page.next;
  } while (after !== null && pages.length < 9);
  expect(pages).toEqual([['2026-03-07', '2026-03-05'], ['2026-03-02'], ['2026-03-01']]);
});
