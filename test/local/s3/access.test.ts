import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { expect, test } from 'vitest';
import { administrator, credentialsOf, s3Check } from '../../../lib/local/credentials.ts';
import type { Statement } from '../../../lib/local/iam.ts';
import type { FunctionModel, StageModel } from '../../../lib/local/model.ts';
import { bucketModel, clientOf, DAY, started } from './started.ts';

/** Whose call it is, and what the role's and the bucket's policies say of it. */

const [roleArn, bucketArn] = ['arn:aws:iam::000000000000:role/writer', 'arn:aws:s3:::evidence'];
const objects = `${bucketArn}/*`;
const allow = (Action: string | string[], Resource = objects, more = {}): Statement => {
  return { Effect: 'Allow', Action, Resource, ...more };
};
const deny = (Action: string, Condition?: Statement['Condition']): Statement => {
  return { Effect: 'Deny', Principal: '*', Action, Resource: [bucketArn, objects], ...(Condition && { Condition }) };
};

async function by(statements: Statement[], policy: Statement[] = []) {
  const evidence = bucketModel('evidence', { isVersioned: true, lock: { retention: null }, policy });
  const buckets = [evidence];
  const model = { buckets, principals: [{ arn: roleArn, statements }] } as unknown as StageModel;
  const { url, client } = await started(
    { buckets, authorize: s3Check(() => model) },
    { credentials: credentialsOf({ roleArn } as FunctionModel) },
  );
  const all = clientOf(url, { credentials: administrator });
  const { VersionId } = await all.send(new PutObjectCommand({ Bucket: 'evidence', Key: 'stream/1', Body: 'x' }));
  return { client, version: { ...named, VersionId } };
}

const named = { Bucket: 'evidence', Key: 'stream/1' };
const put = (more = {}) => new PutObjectCommand({ ...named, Body: 'x', ...more });
const get = new GetObjectCommand(named);
const denied = (action: string) => ({
  name: 'AccessDenied',
  message: expect.stringMatching(
    new RegExp(`^User: ${roleArn} is not authorized to perform: s3:${action} on resource`),
  ),
});

test('a role does what its policies allow, and no more', async () => {
  const { client, version } = await by([allow(['s3:PutObject', 's3:GetObject'])]);
  await client.send(put());
  await client.send(get);
  await expect(client.send(new GetObjectCommand(version))).rejects.toMatchObject(denied('GetObjectVersion'));
  await expect(client.send(new DeleteObjectCommand(named))).rejects.toMatchObject(denied('DeleteObject'));
  await expect(client.send(new DeleteObjectCommand(version))).rejects.toMatchObject(denied('DeleteObjectVersion'));
  await expect(client.send(new ListObjectsV2Command({ Bucket: 'evidence' }))).rejects.toMatchObject(
    denied('ListBucket'),
  );
  const hold = new PutObjectLegalHoldCommand({ ...named, LegalHold: { Status: 'ON' } });
  await expect(client.send(hold)).rejects.toMatchObject(denied('PutObjectLegalHold'));
});

test('a put that locks what it puts needs that action, too', async () => {
  const { client } = await by([allow('s3:PutObject')]);
  const ObjectLockRetainUntilDate = new Date(Date.now() + DAY);
  const retaining = client.send(put({ ObjectLockMode: 'COMPLIANCE', ObjectLockRetainUntilDate }));
  await expect(retaining).rejects.toMatchObject(denied('PutObjectRetention'));
  await expect(client.send(put({ ObjectLockLegalHoldStatus: 'ON' }))).rejects.toMatchObject(
    denied('PutObjectLegalHold'),
  );
});

test('a missing object is 404 for callers that may list, and 403 for others', async () => {
  const missing = new GetObjectCommand({ ...named, Key: 'missing' });
  const { client } = await by([allow('s3:GetObject')]);
  await expect(client.send(missing)).rejects.toMatchObject({ name: 'AccessDenied' });
  const { client: lister } = await by([allow('s3:GetObject'), allow('s3:ListBucket', bucketArn)]);
  await expect(lister.send(missing)).rejects.toMatchObject({ name: 'NoSuchKey' });
});

test('a caller that may know sees how an object is locked', async () => {
  const lock = { ObjectLockLegalHoldStatus: 'ON' };
  const allowed = ['s3:PutObject', 's3:PutObjectLegalHold', 's3:GetObject'];
  const { client } = await by([allow(allowed)]);
  await client.send(put(lock));
  expect((await client.send(new HeadObjectCommand(named))).ObjectLockLegalHoldStatus).toBeUndefined();
  const { client: knowing } = await by([allow([...allowed, 's3:GetObjectLegalHold'])]);
  await knowing.send(put(lock));
  expect(await knowing.send(new HeadObjectCommand(named))).toMatchObject(lock);
});

test('a list can be limited to a prefix', async () => {
  const Condition = { StringLike: { 's3:prefix': 'own/*' } };
  const { client } = await by([allow('s3:ListBucket', bucketArn, { Condition })]);
  const list = (Prefix?: string) => client.send(new ListObjectsV2Command({ Bucket: 'evidence', Prefix }));
  await list('own/1');
  await expect(list('stream/')).rejects.toMatchObject(denied('ListBucket'));
  await expect(list()).rejects.toMatchObject(denied('ListBucket'));
});

test('the bucket’s explicit deny wins, unless its condition is not met', async () => {
  const unencrypted = deny('s3:*', { Bool: { 'aws:SecureTransport': 'false' } });
  const old = deny('s3:*', { NumericLessThan: { 's3:TlsVersion': '1.2' } });
  const overwriting = deny('s3:PutObject', { Null: { 's3:if-none-match': 'true' } });
  const { client } = await by([allow('s3:*')], [unencrypted, old, overwriting]);
  await client.send(get);
  const explicit = { message: expect.stringContaining('with an explicit deny in a resource-based policy') };
  await expect(client.send(put())).rejects.toMatchObject(explicit);
  await client.send(put({ Key: 'new', IfNoneMatch: '*' }));
});

test('a form is its maker’s call', async () => {
  const post = async (statements: Statement[]) => {
    const { client } = await by(statements);
    const { url, fields } = await createPresignedPost(client, { Bucket: 'evidence', Key: 'form' });
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob(['x']));
    return (await fetch(url, { method: 'POST', body: form })).status;
  };
  expect(await post([allow('s3:PutObject')])).toBe(204);
  expect(await post([allow('s3:GetObject')])).toBe(403);
});

test('a key of no role does nothing', async () => {
  const buckets = [bucketModel('evidence')];
  const model = { buckets, principals: [] } as unknown as StageModel;
  const { client } = await started({ buckets, authorize: s3Check(() => model) });
  await expect(client.send(get)).rejects.toMatchObject({
    name: 'AccessDenied',
    message: expect.stringContaining('because its access key belongs to no role'),
  });
});
