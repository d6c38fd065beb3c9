import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { givenUp } from '../given-up.ts';
import { started } from './started.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');
const put = (client: S3Client, input: Partial<PutObjectCommandInput>) =>
  client.send(new PutObjectCommand({ Bucket: 'plain', Key: 'k', ...input }));
const text = async (client: S3Client, input: { Bucket?: string; Key?: string; VersionId?: string } = {}) => {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'plain', Key: 'k', ...input }));
  return Body?.transformToString();
};

test('AWS_ENDPOINT_URL_S3 is all that a client needs: by an IP address it puts the bucket into the path', async () => {
  const { url } = await started();
  process.env.AWS_ENDPOINT_URL_S3 = url;
  try {
    const { client } = await started({}, { endpoint: undefined as never });
    await put(client, { Body: 'found' });
    expect(await text(client)).toBe('found');
  } finally {
    delete process.env.AWS_ENDPOINT_URL_S3;
  }
});

test.each(['k', 'a/b/c.txt', '/leading', 'a//b', '../up/./x', 'Grüße & <ä> +%20?#=', "!'()*"])(
  'the key %s is one object',
  async (Key) => {
    const { client } = await started();
    const stated = { ContentType: 'text/plain', CacheControl: 'no-store', Metadata: { owner: 'tester' } };
    const { ETag } = await put(client, { Key, Body: 'body', ...stated });
    const { Body, ...head } = await client.send(new GetObjectCommand({ Bucket: 'plain', Key }));
    expect(await Body?.transformToString()).toBe('body');
    expect(head).toMatchObject({ ETag, ...stated, ContentLength: 4 });
    expect(head.VersionId).toBeUndefined();
    await client.send(new DeleteObjectCommand({ Bucket: 'plain', Key }));
    await expect(text(client, { Key })).rejects.toMatchObject({ name: 'NoSuchKey' });
  },
);

describe('a body', () => {
  test('of a stream comes in chunks, with its checksum behind them', async () => {
    const { client } = await started();
    const parts = Array.from({ length: 40 }, (_, index) => Buffer.alloc(20_000, index));
    const ContentLength = 800_000;
    await put(client, { Body: Readable.from(parts), ContentLength });
    const head = await client.send(new HeadObjectCommand({ Bucket: 'plain', Key: 'k', ChecksumMode: 'ENABLED' }));
    expect(head).toMatchObject({ ContentLength, ChecksumCRC32: expect.any(String) });
    expect(head.ContentEncoding).toBeUndefined();
    const { Body } = await client.send(new GetObjectCommand({ Bucket: 'plain', Key: 'k' }));
    expect(Buffer.concat(parts).equals(Buffer.from((await Body?.transformToByteArray()) ?? []))).toBe(true);
  });

  test('is kept with the SHA-256 that verified it, which is answered on request', async () => {
    const { client } = await started();
    await put(client, { Body: 'x', ChecksumSHA256: sha256('x') });
    const key = { Bucket: 'plain', Key: 'k' };
    const head = await client.send(new HeadObjectCommand({ ...key, ChecksumMode: 'ENABLED' }));
    expect(head.ChecksumSHA256).toBe(sha256('x'));
    expect((await client.send(new HeadObjectCommand(key))).ChecksumSHA256).toBeUndefined();
  });

  test('of another checksum is none', async () => {
    const { client } = await started();
    const bad = put(client, { Body: 'x', ChecksumSHA256: sha256('y') });
    await expect(bad).rejects.toMatchObject({ name: 'BadDigest', $metadata: { httpStatusCode: 400 } });
    const short = put(client, { Body: 'x', ChecksumSHA256: 'AAAA' });
    await expect(short).rejects.toMatchObject({ name: 'InvalidRequest' });
    await expect(text(client)).rejects.toMatchObject({ name: 'NoSuchKey' });
  });
});

describe('a condition', () => {
  test('If-None-Match: * of a put holds where nothing is, or a delete marker: 412 else', async () => {
    const { client } = await started();
    const create = (Bucket: string) => put(client, { Bucket, Body: 'x', IfNoneMatch: '*' });
    for (const Bucket of ['plain', 'locked']) {
      await create(Bucket);
      await expect(create(Bucket)).rejects.toMatchObject({
        name: 'PreconditionFailed',
        $metadata: { httpStatusCode: 412 },
      });
      await client.send(new DeleteObjectCommand({ Bucket, Key: 'k' }));
      await create(Bucket);
    }
  });

  test('of many that create one object at once is met by one', async () => {
    const { client } = await started();
    const all = Array.from({ length: 10 }, (_, index) => put(client, { Body: `${index}`, IfNoneMatch: '*' }));
    const settled = await Promise.allSettled(all);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('If-Match is about the ETag', async () => {
    const { client } = await started();
    await expect(put(client, { Body: 'x', IfMatch: '"e"' })).rejects.toMatchObject({ name: 'NoSuchKey' });
    const { ETag } = await put(client, { Body: 'x' });
    await put(client, { Body: 'y', IfMatch: ETag });
    await expect(put(client, { Body: 'z', IfMatch: ETag })).rejects.toMatchObject({ name: 'PreconditionFailed' });
    expect(await text(client)).toBe('y');
  });
});

describe('in a bucket with versions', () => {
  const Bucket = 'locked';
  test('each put is a version, and a delete is one more', async () => {
    const { client } = await started();
    const { VersionId: first } = await put(client, { Bucket, Body: '1' });
    await put(client, { Bucket, Body: '2' });
    expect(await text(client, { Bucket })).toBe('2');
    expect(await text(client, { Bucket, VersionId: first })).toBe('1');
    const { DeleteMarker, VersionId } = await client.send(new DeleteObjectCommand({ Bucket, Key: 'k' }));
    expect(DeleteMarker).toBe(true);
    await expect(text(client, { Bucket })).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(text(client, { Bucket, VersionId })).rejects.toMatchObject({ name: 'MethodNotAllowed' });
    expect(await text(client, { Bucket, VersionId: first })).toBe('1');
    // Without its marker the object is there again.
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'k', VersionId }));
    expect(await text(client, { Bucket })).toBe('2');
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'k', VersionId: first }));
    await expect(text(client, { Bucket, VersionId: first })).rejects.toMatchObject({ name: 'NoSuchVersion' });
  });
});

describe('an error', () => {
  test.each([
    ['NoSuchBucket', new GetObjectCommand({ Bucket: 'nowhere', Key: 'k' })],
    ['NoSuchKey', new GetObjectCommand({ Bucket: 'plain', Key: 'k' })],
    ['NotFound', new HeadObjectCommand({ Bucket: 'plain', Key: 'k' })],
    ['NotFound', new HeadBucketCommand({ Bucket: 'nowhere' })],
  ])('has S3’s name: %s', async (name, command) => {
    const { client } = await started();
    await expect(client.send(command as GetObjectCommand)).rejects.toMatchObject({
      name,
      $metadata: { httpStatusCode: 404 },
    });
  });

  test('is said of what is not here, in place of half of it', async () => {
    const { client, url } = await started();
    const tagged = await fetch(`${url}/plain/k?tagging`, { headers: { authorization: 'Credential=TESTER/' } });
    expect(tagged.status).toBe(501);
    const anonymous = await fetch(`${url}/plain/k`);
    expect(anonymous.status).toBe(403);
    expect(await anonymous.text()).toContain('<Code>AccessDenied</Code>');
    await client.send(new HeadBucketCommand({ Bucket: 'plain' }));
  });
});

describe('a fault', () => {
  test.each([
    ['error', 'InternalError', 500],
    ['throttle', 'SlowDown', 503],
  ] as const)('%s does nothing', async (fault, name, httpStatusCode) => {
    const { client } = await started({ intercept: ({ action }) => (action === 'PutObject' ? fault : undefined) });
    await expect(put(client, { Body: 'x' })).rejects.toMatchObject({ name, $metadata: { httpStatusCode } });
    await expect(text(client)).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('lose-response does it and does not say so', async () => {
    const { client } = await started({
      intercept: ({ action, key }) => (action === 'PutObject' && key === 'k' ? 'lose-response' : undefined),
    });
    await expect(put(client, { Body: 'x' })).rejects.toThrow();
    expect(await text(client)).toBe('x');
  });

  test('hang never answers', async () => {
    const come = Promise.withResolvers<void>();
    const { client } = await started({
      intercept: ({ action }) => {
        if (action !== 'GetObject') return undefined;
        come.resolve();
        return 'hang';
      },
    });
    const get = new GetObjectCommand({ Bucket: 'plain', Key: 'k' });
    const given = givenUp(
      (abortSignal) => client.send(get, { abortSignal }),
      come.promise,
      () => put(client, { Body: 'x' }),
    );
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
  });
});
