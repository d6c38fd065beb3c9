import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, test } from 'vitest';
import { clientOf, started } from './started.ts';

const named = { Bucket: 'locked', Key: 'a b/ä+(1)' };

async function presigned(expiresIn = 60) {
  const local = await started();
  const { VersionId } = await local.client.send(new PutObjectCommand({ ...named, Body: 'content' }));
  const sign = (more = {}, client = local.client) =>
    getSignedUrl(client, new GetObjectCommand({ ...named, VersionId, ...more }), { expiresIn });
  return { ...local, sign, address: await sign() };
}

const refused = async (address: string, init: RequestInit = {}) => {
  const response = await fetch(address, init);
  return [response.status, /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1]];
};

test('200: the address is enough', async () => {
  const { address, sign } = await presigned();
  const response = await fetch(address);
  expect([response.status, await response.text()]).toEqual([200, 'content']);
  const named = await fetch(await sign({ ResponseContentDisposition: 'attachment; filename="a b.pdf"' }));
  expect(named.headers.get('content-disposition')).toBe('attachment; filename="a b.pdf"');
});

test('403: it expires', async () => {
  const { address, elapse } = await presigned();
  elapse(61_000);
  expect(await refused(address)).toEqual([403, 'AccessDenied']);
});

test.each([
  ['another object', (url: string) => url.replace('a%20b', 'a%20c')],
  ['a longer life', (url: string) => url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600')],
  ['another version', (url: string) => url.replace('versionId=', 'versionId=x')],
  ['another caller', (url: string) => url.replace('TESTER', 'ADMINISTRATOR')],
  ['a parameter more', (url: string) => `${url}&response-content-type=text%2Fhtml`],
])('403: %s is another signature', async (_, change) => {
  const { address } = await presigned();
  expect(change(address)).not.toBe(address);
  expect(await refused(change(address))).toEqual([403, 'SignatureDoesNotMatch']);
});

test('403: another method, another secret, a header that was not signed', async () => {
  const { address, url, sign } = await presigned();
  expect(await refused(address, { method: 'PUT', body: 'x' })).toEqual([403, 'SignatureDoesNotMatch']);
  const foreign = clientOf(url, { credentials: { accessKeyId: 'TESTER', secretAccessKey: 'guessed' } });
  expect(await refused(await sign({}, foreign))).toEqual([403, 'SignatureDoesNotMatch']);
  foreign.destroy();
  expect(await refused(address, { headers: { 'x-amz-checksum-mode': 'ENABLED' } })).toEqual([403, 'AccessDenied']);
});

test('400: no address lives longer than a week', async () => {
  const { address } = await presigned(604_800);
  const changed = address.replace('X-Amz-Expires=604800', 'X-Amz-Expires=604801');
  expect(await refused(changed)).toEqual([400, 'AuthorizationQueryParametersError']);
});

test('a presigned put keeps what it was signed with', async () => {
  const { url } = await presigned();
  // Else the SDK signs the checksum of the body that it does not have yet.
  const client = clientOf(url, { requestChecksumCalculation: 'WHEN_REQUIRED' });
  const address = await getSignedUrl(client, new PutObjectCommand({ ...named, ContentType: 'text/plain' }), {
    signableHeaders: new Set(['content-type']),
  });
  client.destroy();
  const put = (type: string) => refused(address, { method: 'PUT', body: 'new', headers: { 'content-type': type } });
  expect(await put('text/html')).toEqual([403, 'SignatureDoesNotMatch']);
  expect(await put('text/plain')).toEqual([200, undefined]);
});
