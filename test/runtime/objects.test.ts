import type { S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { Failure } from '../../lib/runtime/failure.ts';
import { findVersion, putOnce, readObject } from '../../lib/runtime/objects.ts';

/** A bucket that refuses the first puts by these names, and takes those after them. */
function refusing(...names: string[]) {
  let calls = 0;
  const send = async () => {
    calls += 1;
    const name = names.shift();
    if (name) throw Object.assign(new Error(), { name });
  };
  return { objects: { s3: { send } as unknown as S3Client, bucket: 'evidence' }, calls: () => calls };
}

test.each([
  ['a free key', [], true, 1],
  ['a key that is taken', ['PreconditionFailed'], false, 1],
  ['two puts at once, of which this one was first', ['ConditionalRequestConflict'], true, 2],
  [
    'two puts at once, of which the other one was first',
    ['ConditionalRequestConflict', 'PreconditionFailed'],
    false,
    2,
  ],
])('%s', async (_, names, isPut, calls) => {
  const bucket = refusing(...names);
  expect(await putOnce(bucket.objects, 'key', 'body')).toBe(isPut);
  expect(bucket.calls()).toBe(calls);
});

test('endless conflicts are UNAVAILABLE, and other failures are not tried again', async () => {
  const busy = refusing(...Array(9).fill('ConditionalRequestConflict'));
  await expect(putOnce(busy.objects, 'key', 'body')).rejects.toBeInstanceOf(Failure);
  const denied = refusing('AccessDenied');
  await expect(putOnce(denied.objects, 'key', 'body')).rejects.toMatchObject({ name: 'AccessDenied' });
  expect(denied.calls()).toBe(1);
});

test('objects whose names begin as the wanted one’s are not read, however many there are', async () => {
  let pages = 0;
  const send = async ({ constructor: { name }, input }: { constructor: { name: string }; input: object }) => {
    if (name === 'GetObjectCommand') return { Body: { transformToByteArray: async () => Buffer.from('other') } };
    pages += 1;
    // Each page has another neighbour, and says that there are more.
    if (pages > 9) throw new Error('it reads on');
    const own = { Key: 'wanted', VersionId: 'v', LastModified: new Date() };
    const neighbour = { Key: `wanted.${pages}`, VersionId: 'v', LastModified: new Date() };
    return {
      Versions: pages === 1 && 'isThere' in bucketOf(input) ? [own, neighbour] : [neighbour],
      IsTruncated: true,
    };
  };
  const bucketOf = ({ Bucket }: { Bucket?: string }) => (Bucket === 'has it' ? { isThere: true } : {});
  for (const bucket of ['has it', 'lacks it']) {
    pages = 0;
    const objects = { s3: { send } as unknown as S3Client, bucket };
    expect(await findVersion(objects, 'wanted', () => false), bucket).toBe(null);
  }
});

test('an object that no memory holds is read as empty, and not to its end', async () => {
  let isLeft = false;
  const transformToByteArray = async () => Buffer.from('body');
  const send = async ({ input }: { input: { Key: string } }) => {
    const destroy = () => {
      isLeft = true;
    };
    const Body = { transformToByteArray, destroy };
    return { Body, ContentLength: input.Key === 'huge' ? 5_000_000_000 : 4 };
  };
  const objects = { s3: { send } as unknown as S3Client, bucket: 'evidence' };
  expect(String(await readObject(objects, 'ours'))).toBe('body');
  expect(isLeft).toBe(false);
  expect(String(await readObject(objects, 'huge'))).toBe('');
  expect(isLeft).toBe(true);
});
