import { expect, test } from 'vitest';
import { errors } from '../../functions/domains.ts';
import { baseUrl, call, client, signIn } from '../api.ts';

test('every answer is JSON in UTF-8, with the headers of every answer', async () => {
  const user = await client();
  const answers = [
    // Most: the list, the version check and the keys say something else of caches.
    await user.get('/users/agreements/marketing/history'),
    await user.delete('/users/agreements/terms-of-service/consent'),
    await user.get('/no-such-path'),
    await call('GET', '/users/agreements'),
  ];
  for (const { headers } of answers) {
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('x-request-id') ?? headers.get('x-amzn-requestid')).toBeTruthy();
  }
  expect(answers[0]?.headers.get('x-request-id')).toBe(answers[0]?.headers.get('x-amz-apigw-id'));
});

test('every error is code, message and detail, and nothing else', async () => {
  const user = await client();
  const bad = { 'Content-Type': 'application/json' };
  const answers = [
    await call('GET', '/users/agreements'),
    await call('GET', '/users/agreements', { token: 'not-a-token' }),
    await call('GET', '/users/agreements', { headers: { Authorization: 'AWS4-HMAC-SHA256 Credential=x' } }),
    await user.get('/users/agreements?limit=x'),
    await user.get('/no-such-path'),
    await user.patch('/users/agreements'),
    await user.post('/agreements/versions/marketing-1.0/agree', { body: '{', headers: bad }),
    await user.post('/agreements/versions/none/agree'),
    await user.delete('/users/agreements/terms-of-service/consent'),
    await user.post('/agreements/versions/marketing-1.0/agree', { body: { x: 'x'.repeat(2_000_000) } }),
    await user.post('/agreements/versions/marketing-1.0/agree', { body: { x: 'x'.repeat(11_000_000) } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 400, 404, 404, 400, 404, 400, 413, 413]);
  for (const { body } of answers) {
    expect(Object.keys(body)).toEqual(['code', 'message', 'detail']);
    expect(errors.map(({ error }) => error.code)).toContain(body.code);
    expect(body.message).toMatch(/^[A-Z].*\.$/);
    expect(JSON.stringify(body)).not.toMatch(/arn:|dynamodb|Exception|at .*\.(ts|mjs|js):|eyJ/i);
  }
});

test.each([
  ['GET', '/no-such-path'],
  ['GET', '/'],
  ['PATCH', '/users/agreements'],
  ['GET', '/agreements/versions/marketing-1.0/agree'],
  ['PATCH', '/users/agreements/marketing/consent'],
  ['GET', '/users/agreements/marketing/consent/more'],
  ['GET', '/agreements/versions'],
])('an unknown path or method is 404: %s %s', async (method, path) => {
  for (const token of [undefined, await signIn(), 'not-a-token']) {
    const answer = await call(method, path, token === undefined ? {} : { token });
    expect(answer).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND', detail: null } });
  }
});

test('the applications answer under /de/v1 and /v2', async () => {
  expect(new URL(baseUrl('sleepcare')).pathname).toBe('/de/v1');
  expect(new URL(baseUrl('medinfo')).pathname).toBe('/v2');
  const sleepcare = await client();
  const medinfo = await client({ roles: 'physician', application: 'medinfo' });
  expect((await sleepcare.get('/users/agreements')).status).toBe(200);
  expect((await medinfo.get('/users/agreements')).status).toBe(200);
});

test('a browser may call from anywhere: preflight', async () => {
  const answer = await fetch(`${baseUrl()}/users/agreements/marketing/consent`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'DELETE' },
  });
  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('access-control-allow-methods')).toContain('DELETE');
  expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
});
