import { createHash } from 'node:crypto';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { createPresignedPost, type PresignedPostOptions } from '@aws-sdk/s3-presigned-post';
import { describe, expect, test } from 'vitest';
import { bucketModel, clientOf, started } from './started.ts';

/** What a browser uploads with the fields that a function made. */

const Bucket = 'uploads';
const cors = [
  { origins: ['https://*.example.org'], methods: ['POST'], headers: ['*'], exposed: ['ETag'], maxAgeSeconds: 600 },
];
const buckets = [
  bucketModel(Bucket, { isVersioned: true, lock: { retention: { mode: 'GOVERNANCE', days: 1 } }, cors }),
];
const most = 10 * 1024 * 1024;
const content = Buffer.from('%PDF the agreement');
const sha256 = (body: Buffer) => createHash('sha256').update(body).digest('base64');

async function upload() {
  const local = await started({ buckets });
  const make = (options: Partial<PresignedPostOptions> = {}, client = local.client) =>
    createPresignedPost(client, {
      Bucket,
      Key: 'contents/1',
      Expires: 60,
      Conditions: [
        ['content-length-range', 1, most],
        ['starts-with', '$Content-Type', 'application/'],
        ['starts-with', '$x-amz-checksum-sha256', ''],
      ],
      ...options,
    });
  return { ...local, make };
}

type Made = Awaited<ReturnType<typeof createPresignedPost>>;

function send({ url, fields }: Made, changed: Record<string, string | undefined> = {}, file: Buffer = content) {
  const form = new FormData();
  const all = { ...fields, 'Content-Type': 'application/pdf', 'x-amz-checksum-sha256': sha256(file), ...changed };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(file)]), 'agreement.pdf');
  return fetch(url, { method: 'POST', body: form, headers: { origin: 'https://app.example.org' } });
}

async function refused(response: Response) {
  const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1];
  return [response.status, code];
}

test('204: the object is there, with its type, its checksum and the bucket’s retention', async () => {
  const { client, make } = await upload();
  const response = await send(await make());
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.org');
  expect(response.headers.get('access-control-expose-headers')).toBe('ETag');
  const VersionId = response.headers.get('x-amz-version-id') ?? '';
  const named = { Bucket, Key: 'contents/1', VersionId };
  const head = await client.send(new HeadObjectCommand({ ...named, ChecksumMode: 'ENABLED' }));
  expect(head).toMatchObject({
    ContentType: 'application/pdf',
    ContentLength: content.length,
    ChecksumSHA256: sha256(content),
    ObjectLockMode: 'GOVERNANCE',
    ETag: response.headers.get('etag'),
  });
  const { Body } = await client.send(new GetObjectCommand(named));
  expect(await Body?.transformToString()).toBe(content.toString());
});

test('10 MB are taken, and a byte more is EntityTooLarge', async () => {
  const { make } = await upload();
  expect((await send(await make(), {}, Buffer.alloc(most, '\r\n--'))).status).toBe(204);
  const response = await send(await make(), {}, Buffer.alloc(most + 1));
  expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.org');
  const text = await response.text();
  expect(text).toContain(`<ProposedSize>${most + 1}</ProposedSize><MaxSizeAllowed>${most}</MaxSizeAllowed>`);
  expect([response.status, /<Code>(\w+)</.exec(text)?.[1]]).toEqual([400, 'EntityTooLarge']);
  expect(await refused(await send(await make(), {}, Buffer.alloc(0)))).toEqual([400, 'EntityTooSmall']);
});

test('success_action_status 201 answers with a document', async () => {
  const { make } = await upload();
  const response = await send(await make({ Fields: { success_action_status: '201' } }));
  expect(response.status).toBe(201);
  expect(await response.text()).toContain('<Key>contents/1</Key>');
});

describe('403', () => {
  test.each<[string, Record<string, string | undefined>]>([
    ['another key', { key: 'contents/2' }],
    ['another type', { 'Content-Type': 'text/html' }],
    ['no type', { 'Content-Type': undefined }],
    ['a field that no condition names', { 'x-amz-meta-owner': 'me' }],
    ['a retention that no condition names', { 'x-amz-object-lock-mode': 'COMPLIANCE' }],
    ['no policy', { Policy: undefined }],
  ])('%s', async (_, changed) => {
    const { make } = await upload();
    expect(await refused(await send(await make(), changed))).toEqual([403, 'AccessDenied']);
  });

  test.each<[string, (made: Made) => Record<string, string>]>([
    ['another policy', ({ fields }) => ({ Policy: Buffer.from(`${atob(fields.Policy ?? '')} `).toString('base64') })],
    ['another signature', () => ({ 'X-Amz-Signature': '0'.repeat(64) })],
    [
      'another day',
      ({ fields }) => ({
        'X-Amz-Credential': (fields['X-Amz-Credential'] ?? '').replace(/\/\d{8}\//, '/20200101/'),
        'X-Amz-Date': '20200101T000000Z',
      }),
    ],
  ])('%s', async (_, change) => {
    const { make } = await upload();
    const made = await make();
    expect(await refused(await send(made, change(made)))).toEqual([403, 'SignatureDoesNotMatch']);
  });

  test('another secret', async () => {
    const { url, make } = await upload();
    const foreign = clientOf(url, { credentials: { accessKeyId: 'TESTER', secretAccessKey: 'guessed' } });
    expect(await refused(await send(await make({}, foreign)))).toEqual([403, 'SignatureDoesNotMatch']);
    foreign.destroy();
  });

  test('a policy that has expired', async () => {
    const { make, elapse } = await upload();
    const made = await make();
    elapse(61_000);
    expect(await refused(await send(made))).toEqual([403, 'AccessDenied']);
  });

  test('a policy for another bucket', async () => {
    const { url, make } = await upload();
    const made = await make({ Bucket: 'elsewhere' });
    expect(await refused(await send({ ...made, url: `${url}/${Bucket}` }))).toEqual([403, 'AccessDenied']);
  });
});

describe('400', () => {
  test('BadDigest: the file is not that of the checksum', async () => {
    const { make } = await upload();
    const wrong = { 'x-amz-checksum-sha256': sha256(Buffer.from('another')) };
    expect(await refused(await send(await make(), wrong))).toEqual([400, 'BadDigest']);
  });

  test('InvalidRequest: what is going to be retained needs a checksum', async () => {
    const { make } = await upload();
    const made = await make();
    expect(await refused(await send(made, { 'x-amz-checksum-sha256': undefined }))).toEqual([400, 'InvalidRequest']);
  });

  test('no form, or one that ends early', async () => {
    const { url } = await upload();
    const post = (type: string, body: string) =>
      fetch(`${url}/${Bucket}`, { method: 'POST', body, headers: { 'content-type': type } }).then(refused);
    const part = (name: string, more = '') =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\nx\r\n`;
    const form = 'multipart/form-data; boundary=b';
    expect(await post('application/json', '{}')).toEqual([412, 'PreconditionFailed']);
    expect(await post(form, part('key'))).toEqual([400, 'MalformedPOSTRequest']);
    expect(await post(form, `${part('key')}--b--`)).toEqual([400, 'InvalidArgument']);
    expect(await post(form, `${part('key')}${part('Key')}--b--`)).toEqual([400, 'InvalidArgument']);
    const long = part('key').replace('x', 'x'.repeat(21_000));
    expect(await post(form, `${long}${part('file', '; filename="f"')}--b--`)).toEqual([
      400,
      'MaxPostPreDataLengthExceeded',
    ]);
  });
});

test('a preflight request is answered by the bucket’s rules', async () => {
  const { url } = await upload();
  const ask = (origin: string, method: string) =>
    fetch(`${url}/${Bucket}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'x-any' },
    });
  const allowed = await ask('https://app.example.org', 'POST');
  expect(allowed.status).toBe(200);
  expect(Object.fromEntries(allowed.headers)).toMatchObject({
    'access-control-allow-origin': 'https://app.example.org',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'x-any',
    'access-control-max-age': '600',
  });
  expect(await refused(await ask('https://app.example.org', 'PUT'))).toEqual([403, 'AccessForbidden']);
  expect(await refused(await ask('https://example.com', 'POST'))).toEqual([403, 'AccessForbidden']);
});
