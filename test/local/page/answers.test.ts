import { expect, test } from 'vitest';
import { isOwnHost } from '../../../lib/local/page/hosts.ts';
import { silent, visible } from './payloads.ts';
import { get, servePage } from './served-page.ts';

test.each([
  ['localhost:3000', '127.0.0.1', true],
  ['LocalHost', '127.0.0.1', true],
  ['127.0.0.1:3000', '127.0.0.1', true],
  ['[::1]:3000', '127.0.0.1', true],
  ['my-mac.local:3000', 'my-mac.local', true],
  ['192.168.1.7:3000', '0.0.0.0', true],
  ['192.168.1.7:3000', '127.0.0.1', false],
  ['rebound.example:3000', '127.0.0.1', false],
  ['rebound.example:3000', '0.0.0.0', false],
  ['localhost.example', '127.0.0.1', false],
  ['localhost:3000.example', '127.0.0.1', false],
  ['evil@localhost', '127.0.0.1', false],
  ['', '127.0.0.1', false],
  [undefined, '127.0.0.1', false],
])('Host %s of a stage at %s: %s', (header, bound, isOwn) => {
  expect(isOwnHost(header, bound)).toBe(isOwn);
});

test.each(['/_local/', '/_local/page.js', '/_local/routes', '/_local/events', '/_local/token', '/_local/nothing'])(
  '%s answers to no rebound name',
  async (path) => {
    const { port } = await servePage();
    const { status, headers } = await get(port, path, { host: `rebound.example:${port}`, origin: 'http://a.example' });
    expect(status).toBe(421);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  },
);

test('every answer forbids inline scripts, other origins and frames, and has no CORS header', async () => {
  const { port } = await servePage();
  for (const path of ['/_local/', '/_local/page.js', '/_local/devices', '/_local/reference/', '/_local/openapi.json']) {
    const { status, headers } = await get(port, path, { origin: 'http://a.example' });
    const policy = headers['content-security-policy'];
    expect([path, status]).toEqual([path, 200]);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('only the listed files are served', async () => {
  const { port } = await servePage();
  const paths = ['/_local/../package.json', '/_local/page.ts', '/_local/assets/page.js', '/_local/__proto__'];
  for (const path of [...paths, '/_local/reference/..%2f..%2fpackage.json', '/_local/reference/index.html']) {
    expect([path, (await get(port, path)).status]).toEqual([path, 404]);
  }
  expect((await get(port, '/_local')).headers.location).toBe('/_local/');
});

test('the routes are the template’s, each with its place in the reference', async () => {
  const { port } = await servePage();
  const routes = JSON.parse((await get(port, '/_local/routes')).text);
  expect(routes).toMatchObject([
    {
      application: 'sleepcare',
      method: 'GET',
      path: '/de/v1/users/agreements',
      isPublic: false,
      permission: 'consents:read-own',
      reference: '/_local/reference/#/consents/listAgreements',
    },
    { path: '/de/v1/mobile/app-version/check', isPublic: true },
    { path: '/de/v1/nowhere/in/the/document', permission: null, reference: null },
  ]);
  expect(routes).toHaveLength(3);
});

test('the document has only this stage’s servers', async () => {
  const { port } = await servePage();
  const { text } = await get(port, '/_local/openapi.json', { host: `localhost:${port}` });
  const { servers } = JSON.parse(text);
  expect(servers.map(({ url }: { url: string }) => url)).toEqual([
    `http://localhost:${port}/de/v1`,
    `http://localhost:${port}/v2`,
  ]);
  expect(text).not.toContain('"https://{host}');
  expect(text).not.toContain('localhost:3000');
});

test('users are listed without their passwords', async () => {
  const { port } = await servePage();
  const { text } = await get(port, '/_local/users');
  expect(JSON.parse(text)).toEqual([
    { name: 'u@example.com', application: 'sleepcare', roles: ['patient'], clients: [] },
  ]);
});

test('a device has its last push, and not its token', async () => {
  const { port, sns } = await servePage();
  const token = 'ab'.repeat(32);
  const arn = await sns.endpoint('APNS', token, 'device 1');
  await sns.publish(arn, { Message: visible({ title: 'First', body: '…' }) });
  await sns.publish(arn, { Message: silent('3') });
  await sns.endpoint('GCM');
  const { text } = await get(port, '/_local/devices');
  const devices = JSON.parse(text);
  expect(devices).toMatchObject([
    { endpoint: arn, platform: 'APNS', application: 'sleepcare', enabled: true, customUserData: 'device 1' },
    { platform: 'GCM', lastPush: null },
  ]);
  expect(devices[0].lastPush).toMatchObject({ kind: 'silent', banner: null, data: { badge: '3' } });
  expect(text).not.toContain(token);
});
