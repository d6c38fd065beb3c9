import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { operations } from '../../functions/domains.ts';
import { deployments } from '../../functions/product.ts';
import { call, signIn } from '../api.ts';

const guarded = operations
  .filter(({ route }) => route.auth !== 'public' && (route.environments ?? ['dev']).includes('dev'))
  .flatMap(({ id, route }) => route.applications.map((application) => ({ id, route, application })));

describe('401', () => {
  test.each(guarded)('every route that is not public answers 401 without a token: $id ($application)', async (each) => {
    const path = each.route.path.replace(/\{\w+\}/g, 'x');
    for (const token of [undefined, 'not.a.token']) {
      const answer = await call(each.route.method, path, { ...(token && { token }), application: each.application });
      expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED', detail: null } });
    }
  });

  test('a token that fails any check is 401', async () => {
    const token = await signIn();
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: randomUUID() })).toString('base64url');
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none', kid: 'x' })).toString('base64url');
    const wrong = [
      `${header}.${forged}.${signature}`,
      `${unsigned}.${payload}.`,
      `${header}.${payload}`,
      `${token}x`,
      'x'.repeat(5_000),
    ];
    for (const each of wrong) {
      expect(await call('GET', '/users/agreements', { token: each })).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHENTICATED' },
      });
    }
  });

  test("a token of the other application's pool", async () => {
    const token = await signIn({ roles: 'physician', application: 'medinfo' });
    expect((await call('GET', '/users/agreements', { token })).status).toBe(401);
    expect((await call('GET', '/users/agreements', { token, application: 'medinfo' })).status).toBe(200);
  });
});

describe('200', () => {
  test('a valid access token is let in', async () => {
    const token = await signIn();
    expect((await call('GET', '/users/agreements', { token })).status).toBe(200);
    const headers = { authorization: `bearer ${token}` };
    expect((await call('GET', '/users/agreements', { headers })).status).toBe(200);
  });

  test('the kept answer of the authorizer covers every route', async () => {
    const token = await signIn();
    expect((await call('GET', '/users/agreements', { token })).status).toBe(200);
    expect((await call('POST', '/agreements/versions/marketing-1.0/agree', { token })).status).toBe(200);
    expect((await call('DELETE', '/users/agreements/marketing/consent', { token })).status).toBe(200);
  });
});

test('the addresses are those of the declarations', () => {
  expect(Object.values(deployments).map(({ basePath }) => basePath)).toEqual(['/de/v1', '/v2']);
});
