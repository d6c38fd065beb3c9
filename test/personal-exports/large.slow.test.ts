import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { BatchWriteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { partitionOf } from '../../functions/consents/rules/record.ts';
import { asked } from '../../functions/personal-exports/rules/export.ts';
import { startBackend } from '../../lib/local/backend.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { alteredAssembly } from '../local/stage/altered.ts';
import { temporaryFolder } from '../local/stage/local-process.ts';
import { readZip } from './read-zip.ts';

/** A person with very much data, and functions that die: what the deployed function does with the memory and time that it has. */

const long = 300_000;

type Size = { readonly MemorySize: number; readonly Timeout: number };

async function backend(size: Partial<Size> = {}) {
  const directory = await alteredAssembly((resources) => {
    for (const { Metadata, Properties } of Object.values(resources)) {
      if (Metadata?.operation === 'make-export') Object.assign(Properties, size);
    }
  });
  const log: string[] = [];
  const started = await startBackend(directory, {
    // What a function does in the time that it has is what this is about.
    patience: 1,
    onLog: (fn, _id, line) => log.push(`${fn.operation} ${line}`),
  });
  const { endpoint, s3Endpoint, region, credentials, tables } = started.data;
  const client = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
  const s3 = new S3Client({ endpoint: s3Endpoint, region, credentials, forcePathStyle: true });
  onTestFinished(async () => {
    client.destroy();
    s3.destroy();
    await started.close();
  });
  const Bucket = started.model().buckets.find(({ logicalId }) => logicalId === 'PersonalExportFiles')?.name;
  const row = asked({ userId: randomUUID(), application: 'sleepcare', now: new Date(), random: '0123456789' });
  const { userId, exportId } = row;
  const Key = { userId, exportId };
  const TableName = tables('PersonalExports');
  return {
    log,
    started,
    userId,
    async begin(): Promise<void> {
      await client.send(new PutCommand({ TableName, Item: row }));
      started.queues.named('PersonalExportQueue').send(JSON.stringify(Key));
    },
    read: async () => (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item,
    /** As if the function that had it were over for a minute. */
    async endLease(): Promise<void> {
      const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
      await client.send(new PutCommand({ TableName, Item: { ...Item, leaseEndsAt: null } }));
    },
    async putAll(table: string, count: number, make: (index: number) => Record<string, unknown>): Promise<void> {
      const numbers = Array.from({ length: count }, (_, index) => index);
      for (let from = 0; from < count; from += 25) {
        const puts = numbers.slice(from, from + 25).map((index) => ({ PutRequest: { Item: make(index) } }));
        await client.send(new BatchWriteCommand({ RequestItems: { [tables(table)]: puts } }));
      }
    },
    /** The only object that is left of it. */
    async zip(): Promise<Map<string, Buffer>> {
      const key = `${userId}/${exportId}/export.zip`;
      const there = await vi.waitFor(
        async () => {
          const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `${userId}/` }));
          expect(Contents.map((each) => each.Key)).toEqual([key]);
          return s3.send(new GetObjectCommand({ Bucket, Key: key }));
        },
        { timeout: long, interval: 200 },
      );
      return readZip(Buffer.from((await there.Body?.transformToByteArray()) ?? []));
    },
  };
}

const rows = 100_000;

test('100,000 rows, with the memory of a small function and time for a part of them', {
  timeout: 2 * long,
}, async () => {
  // The ZIP gets at least 40 s of an invocation: what gathers for a second leaves it to the next one.
  const made = await backend({ MemorySize: 128, Timeout: 41 });
  const userAgreement = partitionOf({ userId: made.userId, agreementId: 'marketing' });
  await made.putAll('ConsentStates', 1, () => ({ userId: made.userId, agreementId: 'marketing' }));
  // No two alike, so that the ZIP is uploaded in parts.
  const receipt = () => Array.from({ length: 4 }, () => randomUUID()).join('');
  const recordedAt = (index: number) => `2026-01-01T00:00:00.${String(index).padStart(6, '0')}Z`;
  await made.putAll('ConsentReceipts', rows, (index) => {
    return { userAgreement, recordedAt: recordedAt(index), receipt: receipt() };
  });
  const began = Date.now();
  await made.begin();
  const files = await made.zip();
  console.log(`100,000 rows: ${Math.round((Date.now() - began) / 1000)} s`);
  const { ConsentReceipts } = JSON.parse(String(files.get('receipts.json')));
  expect(ConsentReceipts.map((row: { recordedAt: string }) => row.recordedAt)).toEqual(
    Array.from({ length: rows }, (_, index) => recordedAt(index)),
  );
  expect(String(files.get('index.html'))).toContain('100000 entries');
  expect(made.log.filter((line) => line.includes('"outcome":"goes on"')).length).toBeGreaterThan(0);
});

test('killed three times at any moment, it is one whole ZIP in the end', { timeout: 2 * long }, async () => {
  const made = await backend();
  const deployed = made.started.model().functions.find(({ operation }) => operation === 'make-export')?.codeDir ?? '';
  const devices = 4_000;
  await made.putAll('Devices', devices, (index) => {
    return { userId: made.userId, deviceId: `d-${String(index).padStart(5, '0')}`, text: 'x'.repeat(500) };
  });
  const killed = join(temporaryFolder(), 'killed');
  writeFileSync(killed, '');
  const moments = [30, 150, 400];
  for (const [times, milliseconds] of moments.entries()) {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, 'index.mjs'),
      `import { appendFileSync } from 'node:fs';
       import { handler as real } from ${JSON.stringify(join(deployed, 'index.mjs'))};
       export const handler = (event, context) => {
         setTimeout(() => {
           appendFileSync(${JSON.stringify(killed)}, 'x');
           process.kill(process.pid, 'SIGKILL');
         }, ${milliseconds});
         return real(event, context);
       };`,
    );
    made.started.replaceCode('make-export', folder);
    if (times === 0) await made.begin();
    else await made.started.queues.elapse(361_000);
    await vi.waitFor(() => expect(readFileSync(killed, 'utf8')).toHaveLength(times + 1), { timeout: long });
    await made.endLease();
    console.log(`killed after ${milliseconds} ms:`, JSON.stringify((await made.read())?.progress?.parts ?? null));
  }
  made.started.replaceCode('make-export', deployed);
  await made.started.queues.elapse(361_000);
  const { Devices } = JSON.parse(String((await made.zip()).get('devices.json')));
  expect(Devices.map((row: { deviceId: string }) => row.deviceId)).toEqual(
    Array.from({ length: devices }, (_, index) => `d-${String(index).padStart(5, '0')}`),
  );
  expect(await made.read()).toMatchObject({ status: 'done', progress: null });
});
