import {
  DeleteObjectCommand,
  GetObjectLegalHoldCommand,
  GetObjectRetentionCommand,
  HeadObjectCommand,
  type ObjectLockMode,
  PutObjectCommand,
  type PutObjectCommandInput,
  PutObjectLegalHoldCommand,
  PutObjectRetentionCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { clientOf, DAY, started } from './started.ts';

const in7Days = () => new Date(Math.floor(Date.now() / 1000) * 1000 + 7 * DAY);
const denied = { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } };

async function version(client: S3Client, input: Partial<PutObjectCommandInput> = {}) {
  const named = { Bucket: 'locked', Key: 'k' };
  const { VersionId } = await client.send(new PutObjectCommand({ ...named, Body: 'x', ...input }));
  return { ...named, ...(input.Bucket && { Bucket: input.Bucket }), VersionId };
}

test('a legal hold keeps a version until it is taken off', async () => {
  const { client } = await started();
  const held = await version(client);
  await client.send(new PutObjectLegalHoldCommand({ ...held, LegalHold: { Status: 'ON' } }));
  expect((await client.send(new GetObjectLegalHoldCommand(held))).LegalHold).toEqual({ Status: 'ON' });
  expect(await client.send(new HeadObjectCommand(held))).toMatchObject({ ObjectLockLegalHoldStatus: 'ON' });
  await expect(client.send(new DeleteObjectCommand(held))).rejects.toMatchObject(denied);
  await expect(
    client.send(new DeleteObjectCommand({ ...held, BypassGovernanceRetention: true })),
  ).rejects.toMatchObject(denied);
  // The version stays below a delete marker.
  await client.send(new DeleteObjectCommand({ Bucket: held.Bucket, Key: held.Key }));
  await client.send(new HeadObjectCommand(held));
  await client.send(new PutObjectLegalHoldCommand({ ...held, LegalHold: { Status: 'OFF' } }));
  await client.send(new DeleteObjectCommand(held));
  await expect(client.send(new HeadObjectCommand(held))).rejects.toMatchObject({ name: 'NotFound' });
});

test('the bucket’s default retention is applied to what states none, and ends', async () => {
  const { client, elapse } = await started();
  const before = Date.now();
  const kept = await version(client, { Bucket: 'retained' });
  const after = Date.now();
  const { Retention } = await client.send(new GetObjectRetentionCommand(kept));
  expect(Retention?.Mode).toBe('COMPLIANCE');
  // Written in whole seconds.
  const second = (time: number) => Math.floor(time / 1000) * 1000;
  expect(Retention?.RetainUntilDate?.getTime()).toBeGreaterThanOrEqual(second(before) + DAY);
  expect(Retention?.RetainUntilDate?.getTime()).toBeLessThanOrEqual(after + DAY);
  await expect(client.send(new DeleteObjectCommand(kept))).rejects.toMatchObject(denied);
  elapse(DAY + 1000);
  await client.send(new DeleteObjectCommand(kept));
});

test('a put states its own retention and hold', async () => {
  const { client } = await started();
  const ObjectLockRetainUntilDate = in7Days();
  const lock = { ObjectLockMode: 'GOVERNANCE', ObjectLockLegalHoldStatus: 'ON', ObjectLockRetainUntilDate } as const;
  const kept = await version(client, { Bucket: 'retained', ...lock });
  expect(await client.send(new HeadObjectCommand(kept))).toMatchObject(lock);
});

test.each<[ObjectLockMode, number, boolean, boolean]>([
  ['GOVERNANCE', 8, false, true],
  ['GOVERNANCE', 6, false, false],
  ['GOVERNANCE', 6, true, true],
  ['COMPLIANCE', 8, false, true],
  ['COMPLIANCE', 6, true, false],
])('%s for 7 days made %i days (bypassing: %s): %s', async (Mode, days, BypassGovernanceRetention, isTaken) => {
  const { client } = await started();
  const ObjectLockRetainUntilDate = in7Days();
  const kept = await version(client, { ObjectLockMode: Mode, ObjectLockRetainUntilDate });
  const RetainUntilDate = new Date(ObjectLockRetainUntilDate.getTime() + (days - 7) * DAY);
  const Retention = { Mode, RetainUntilDate };
  const change = client.send(new PutObjectRetentionCommand({ ...kept, Retention, BypassGovernanceRetention }));
  if (isTaken) await change;
  else await expect(change).rejects.toMatchObject(denied);
  const { Retention: now } = await client.send(new GetObjectRetentionCommand(kept));
  expect(now).toEqual({ Mode, RetainUntilDate: isTaken ? RetainUntilDate : ObjectLockRetainUntilDate });
});

test('governance can be bypassed, compliance cannot', async () => {
  const { client } = await started();
  const lock = { ObjectLockRetainUntilDate: in7Days() };
  const governed = await version(client, { ...lock, ObjectLockMode: 'GOVERNANCE' });
  await expect(client.send(new DeleteObjectCommand(governed))).rejects.toMatchObject(denied);
  await client.send(new DeleteObjectCommand({ ...governed, BypassGovernanceRetention: true }));
  const compliant = await version(client, { ...lock, ObjectLockMode: 'COMPLIANCE' });
  await expect(
    client.send(new DeleteObjectCommand({ ...compliant, BypassGovernanceRetention: true })),
  ).rejects.toMatchObject(denied);
});

test('what cannot be locked is refused', async () => {
  const { client, url } = await started();
  await client.send(new PutObjectCommand({ Bucket: 'plain', Key: 'k', Body: 'x' }));
  const named = { Bucket: 'plain', Key: 'k' };
  const hold = client.send(new PutObjectLegalHoldCommand({ ...named, LegalHold: { Status: 'ON' } }));
  await expect(hold).rejects.toMatchObject({ name: 'InvalidRequest' });
  const free = await version(client);
  const none = { name: 'NoSuchObjectLockConfiguration', $metadata: { httpStatusCode: 404 } };
  await expect(client.send(new GetObjectRetentionCommand(free))).rejects.toMatchObject(none);
  await expect(client.send(new GetObjectLegalHoldCommand(free))).rejects.toMatchObject(none);
  const past = { ObjectLockMode: 'COMPLIANCE', ObjectLockRetainUntilDate: new Date(0) } as const;
  await expect(version(client, past)).rejects.toMatchObject({ name: 'InvalidArgument' });
  const unchecked = clientOf(url, { requestChecksumCalculation: 'WHEN_REQUIRED' });
  const put = unchecked.send(new PutObjectCommand({ Bucket: 'retained', Key: 'k', Body: 'x' }));
  await expect(put).rejects.toMatchObject({ name: 'InvalidRequest' });
  unchecked.destroy();
});
