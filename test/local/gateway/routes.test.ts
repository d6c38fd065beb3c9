import { describe, expect, test } from 'vitest';
import { compileRoutes } from '../../../lib/local/gateway/routes.ts';
import { api, method, stage, testGateway } from './gateway.ts';

const paths = [
  '/',
  '/v1/users',
  '/v1/users/{userId}',
  '/v1/users/me',
  '/v1/users/me/devices',
  '/v1/users/{userId}/messages',
  '/v1/agreements/{agreementId}/{proxy+}',
  '/{proxy+}',
];
const route = compileRoutes(api({ methods: paths.map((path) => method('GET', path, 'echo')) }));

test.each([
  ['/', '/', null],
  ['/v1/users', '/v1/users', null],
  ['/v1/users/', '/v1/users', null],
  ['/v1/users/me', '/v1/users/me', null],
  ['/v1/users/42', '/v1/users/{userId}', { userId: '42' }],
  ['/v1/users/a%20b/', '/v1/users/{userId}', { userId: 'a%20b' }],
  // `me` has no such child: back to the variable.
  ['/v1/users/me/messages', '/v1/users/{userId}/messages', { userId: 'me' }],
  ['/v1/users/me/devices', '/v1/users/me/devices', null],
  ['/v1/agreements/a/b/c', '/v1/agreements/{agreementId}/{proxy+}', { agreementId: 'a', proxy: 'b/c' }],
  ['/v1/agreements/a', '/{proxy+}', { proxy: 'v1/agreements/a' }],
  ['/v1/users//messages', '/{proxy+}', { proxy: 'v1/users//messages' }],
  ['//v1/users', '/{proxy+}', { proxy: '/v1/users' }],
  ['/__proto__', '/{proxy+}', { proxy: '__proto__' }],
])('%s → %s', (path, resource, params) => {
  const match = route(path);
  expect(match?.resource.path).toBe(resource);
  expect(match?.params).toEqual(params);
});

describe('methods', () => {
  const models = stage([api(), api({ id: 'crm', name: 'medinfo', stageName: 'v2' })]);

  test('both APIs answer on one port, each under its stage', async () => {
    await using gateway = await testGateway(models);
    expect((await gateway.event('/de/v1/things')).requestContext.apiId).toBe('sleep');
    expect((await gateway.event('/v2/v1/things')).requestContext.apiId).toBe('crm');
  });

  test('ANY takes what has no method of its own', async () => {
    await using gateway = await testGateway(models);
    expect((await gateway.event('/de/v1/anything', { method: 'DELETE' })).httpMethod).toBe('DELETE');
    const head = await gateway.fetch('/de/v1/anything', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('an address whose first segment is no stage is 404 in the form of every error', async () => {
    await using gateway = await testGateway(models);
    for (const path of ['/', '/dev/v1/things', '//de/v1/things', '/de%2Fv1/things']) {
      const response = await gateway.fetch(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ code: 'ROUTE_NOT_FOUND', detail: null });
    }
  });

  test('a mock answers by itself', async () => {
    const headers = { 'Access-Control-Allow-Origin': '*' };
    const integration = { type: 'mock' as const, status: 204, headers, body: '' };
    await using gateway = await testGateway(
      stage([api({ methods: [method('OPTIONS', '/v1/things', 'x', { integration })] })]),
    );
    const response = await gateway.fetch('/de/v1/things', { method: 'OPTIONS' });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(gateway.calls).toEqual([]);
  });

  test('another model is in force with the next request', async () => {
    let model = stage([api()]);
    await using gateway = await testGateway(() => model);
    expect((await gateway.fetch('/de/v1/new')).status).toBe(403);
    model = stage([api({ methods: [method('GET', '/v1/new', 'echo')] })]);
    expect((await gateway.fetch('/de/v1/new')).status).toBe(200);
  });

  test('a model that cannot be served is 500, and the gateway goes on', async () => {
    let model = stage([api()]);
    await using gateway = await testGateway(() => model);
    model = stage([api(), api({ id: 'other' })]);
    expect(await gateway.event('/de/v1/things')).toMatchObject({ code: 'INTERNAL' });
    model = stage([api()]);
    expect((await gateway.fetch('/de/v1/things')).status).toBe(200);
  });
});
