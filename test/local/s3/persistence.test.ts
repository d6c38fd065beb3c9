import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  GetObjectLegalHoldCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../stage/local-process.ts';
import { bucketModel, locked, started } from './started.ts';

const named = { Bucket: 'locked', Key: 'k' };

test('versions, their order and their locks outlive the process', async () => {
  const dataDir = temporaryFolder();
  const first = await started({ dataDir });
  const { VersionId } = await first.client.send(new PutObjectCommand({ ...named, Body: 'held' }));
  for (let index = 0; index < 11; index += 1) {
    await first.client.send(new PutObjectCommand({ ...named, Body: `${index}`, ContentType: 'text/plain' }));
  }
  const { VersionId: removed } = await first.client.send(new PutObjectCommand({ ...named, Body: 'removed' }));
  await first.client.send(new DeleteObjectCommand({ ...named, VersionId: removed }));
  const hold = { ...named, VersionId, LegalHold: { Status: 'ON' } } as const;
  await first.client.send(new PutObjectLegalHoldCommand(hold));
  const list = new ListObjectVersionsCommand({ Bucket: 'locked' });
  const { Versions } = await first.client.send(list);
  await first.close();

  const { client } = await started({ dataDir });
  expect((await client.send(list)).Versions).toEqual(Versions);
  const { Body, ContentType } = await client.send(new GetObjectCommand(named));
  expect([await Body?.transformToString(), ContentType]).toEqual(['10', 'text/plain']);
  const legalHold = await client.send(new GetObjectLegalHoldCommand({ ...named, VersionId }));
  expect(legalHold.LegalHold?.Status).toBe('ON');
  await client.send(new PutObjectCommand({ ...named, Body: 'next' }));
  expect((await client.send(list)).Versions?.[0]).toMatchObject({ IsLatest: true, Size: 4 });
});

test('an object that is overwritten leaves nothing behind', async () => {
  const dataDir = temporaryFolder();
  const { client } = await started({ dataDir });
  const put = (Body: string) => client.send(new PutObjectCommand({ Bucket: 'plain', Key: 'k', Body }));
  await Promise.all(['1', '2', '3'].map(put));
  await put('last');
  expect(readdirSync(join(dataDir, 's3', 'plain')).length).toBe(2);
  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'plain', Key: 'k' }));
  expect(await Body?.transformToString()).toBe('last');
  await expect(
    client.send(new PutObjectCommand({ Bucket: 'plain', Key: 'k', Body: 'x', IfNoneMatch: '*' })),
  ).rejects.toThrow();
  await client.send(new DeleteObjectCommand({ Bucket: 'plain', Key: 'k' }));
  expect(readdirSync(join(dataDir, 's3', 'plain'))).toEqual([]);
});

test('another template’s buckets join those that are there', async () => {
  const { s3, client } = await started({ buckets: [locked] });
  await client.send(new PutObjectCommand({ ...named, Body: 'kept' }));
  const put = new PutObjectCommand({ Bucket: 'added', Key: 'k', Body: 'x' });
  await expect(client.send(put)).rejects.toMatchObject({ name: 'NoSuchBucket' });
  await s3.adopt([locked, bucketModel('added')]);
  await client.send(put);
  await client.send(new GetObjectCommand(named));
});
