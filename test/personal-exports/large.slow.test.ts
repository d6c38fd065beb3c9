import { randomUUID } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { partitionOf } from '../../functions/consents/rules/record.ts';
import { erasureStage } from '../erasure/stage.ts';
import { readZip } from './read-zip.ts';

/** A person with very much data: more than one invocation has time and memory for. */

const house = erasureStage();
const path = '/users/me/exports';

async function putAll(table: string, count: number, row: (index: number) => Record<string, unknown>): Promise<void> {
  const TableName = house.stage().data.tables(table);
  const numbers = Array.from({ length: count }, (_, index) => index);
  for (let from = 0; from < count; from += 25) {
    const puts = numbers.slice(from, from + 25).map((index) => ({ PutRequest: { Item: row(index) } }));
    await house.data().send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
  }
}

const rows = 100_000;

test('100,000 rows are one ZIP, in the memory that a function has', { timeout: 900_000 }, async () => {
  const { userId, call } = await house.person();
  await call('GET', '/users/me');
  await call('POST', '/agreements/versions/marketing-1.0/agree');
  const userAgreement = partitionOf({ userId, agreementId: 'marketing' });
  // No two alike, so that the ZIP is uploaded in parts.
  await putAll('ConsentReceipts', rows, (index) => ({
    userAgreement,
    recordedAt: `2026-01-01T00:00:00.${String(index).padStart(6, '0')}Z`,
    receipt: `${randomUUID()}${randomUUID()}${randomUUID()}`,
  }));
  const began = Date.now();
  const { body } = await call('POST', path);
  let state = body;
  while (state.status !== 'done') {
    expect(['pending', 'running']).toContain(state.status);
    await new Promise((resolve) => setTimeout(resolve, 500));
    state = (await call('GET', `${path}/${body.exportId}`)).body;
  }
  const bytes = Buffer.from(await (await fetch(state.downloadUrl)).arrayBuffer());
  console.log(`100,000 rows: ${Math.round((Date.now() - began) / 1000)} s, a ZIP of ${bytes.length >> 20} MiB`);
  expect(bytes.length).toBe(state.sizeBytes);
  const files = await readZip(bytes);
  const { ConsentReceipts } = JSON.parse(String(files.get('receipts.json')));
  expect(new Set(ConsentReceipts.map((row: { recordedAt: string }) => row.recordedAt)).size).toBe(rows);
  expect(String(files.get('index.html'))).toContain('100000 entries');
});
