import type { S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { Failure } from '../../lib/runtime/failure.ts';
import { putOnce } from '../../lib/runtime/objects.ts';

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
