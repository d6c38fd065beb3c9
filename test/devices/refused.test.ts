import { describe, expect, test } from 'vitest';
import { call, client } from '../api.ts';
import { iosToken, phone } from './stage.ts';

const path = '/users/me/devices/phone-1';

describe('400', () => {
  test.each([
    ['an unknown platform', { platform: 'symbian' }, 'platform'],
    ['an unknown environment', { environment: 'dev' }, 'environment'],
    ['an empty token', { token: '' }, 'token'],
    ['a token with spaces', { token: 'a b' }, 'token'],
    ['a token that is too long', { token: 'a'.repeat(4097) }, 'token'],
    ['a number for a token', { token: 1 }, 'token'],
    ['no token of APNs', { token: 'not-hexadecimal' }, 'token'],
    ['more than 400 hexadecimal digits', { token: 'a'.repeat(401) }, 'token'],
    ['an empty version', { appVersion: '' }, 'appVersion'],
    ['a long version', { appVersion: 'x'.repeat(65) }, 'appVersion'],
    ['a locale that is none', { locale: 'not a locale' }, 'locale'],
    ['no platform', { platform: undefined }, 'platform'],
    ['no token', { token: undefined }, 'token'],
    ['no environment', { environment: undefined }, 'environment'],
    ['no version', { appVersion: undefined }, 'appVersion'],
    ['no locale', { locale: undefined }, 'locale'],
  ])('%s', async (_name, more, field) => {
    const me = await client();
    expect(await me.put(path, { body: { ...phone(), ...more } })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', detail: { issues: [{ in: 'body', path: field }] } },
    });
    expect((await me.get('/users/me/devices')).body.items).toEqual([]);
  });

  test.each(['a%20b', 'x'.repeat(65), '%2e%2e%2f', 'me'])('the deviceId %s', async (deviceId) => {
    const me = await client();
    for (const method of ['put', 'delete'] as const) {
      const options = method === 'put' ? { body: phone() } : {};
      expect(await me[method](`/users/me/devices/${deviceId}`, options)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', detail: { issues: [{ in: 'path', path: 'deviceId' }] } },
      });
    }
  });

  test('no body, broken JSON, a strange cursor', async () => {
    const me = await client();
    expect((await me.put(path)).body.code).toBe('VALIDATION_FAILED');
    const headers = { 'Content-Type': 'application/json' };
    expect((await me.put(path, { body: '{', headers })).body.code).toBe('MALFORMED_JSON');
    expect((await me.get('/users/me/devices?cursor=x')).body.code).toBe('INVALID_CURSOR');
  });
});

describe('401', () => {
  test.each(['PUT', 'DELETE'])('%s without a token', async (method) => {
    expect(await call(method, path)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });

  test('the list without a token, and each with one of the other application', async () => {
    const { token } = await client({ application: 'medinfo', roles: 'physician' });
    const answers = await Promise.all([
      call('GET', '/users/me/devices'),
      call('GET', '/users/me/devices', { token }),
      call('PUT', path, { token, body: phone() }),
      call('DELETE', path, { token }),
    ]);
    for (const { status } of answers) expect(status).toBe(401);
  });
});

describe('404', () => {
  test.each(['GET', 'PUT', 'DELETE'])('medinfo has no devices: %s', async (method) => {
    const { token } = await client({ application: 'medinfo', roles: 'physician' });
    const where = method === 'GET' ? '/users/me/devices' : path;
    expect(await call(method, where, { token, application: 'medinfo' })).toMatchObject({
      status: 404,
      body: { code: 'ROUTE_NOT_FOUND' },
    });
  });
});

test('the list is paged in the order of the ids', async () => {
  const me = await client();
  for (const deviceId of ['b', 'c', 'a']) {
    await me.put(`/users/me/devices/${deviceId}`, { body: { ...phone(), token: iosToken() } });
  }
  const { body: first } = await me.get('/users/me/devices?limit=2');
  expect(first.metadata).toMatchObject({ limit: 2, count: 2, hasMore: true });
  const { body: rest } = await me.get(`/users/me/devices?limit=2&cursor=${first.metadata.nextCursor}`);
  const ids = [...first.items, ...rest.items].map(({ deviceId }) => deviceId);
  expect(ids).toEqual(['a', 'b', 'c']);
  expect(rest.metadata).toMatchObject({ count: 1, hasMore: false, nextCursor: null });
});

test('a last page that is full has no next one', async () => {
  const me = await client();
  for (const deviceId of ['a', 'b']) {
    await me.put(`/users/me/devices/${deviceId}`, { body: { ...phone(), token: iosToken() } });
  }
  const { body } = await me.get('/users/me/devices?limit=2');
  expect(body.metadata).toMatchObject({ count: 2, hasMore: false, nextCursor: null });
});
