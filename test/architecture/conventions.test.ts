import { expect, test } from 'vitest';
import { errors } from '../../functions/domains.ts';
import { baseUrl, call, client, signIn } from '../api.ts';

/** What API Gateway answers itself leaves `'none'` out, which means the same (lib/stack/cors.ts). */
const policy =
  /^default-src( 'none')?; object-src( 'none')?; base-uri( 'none')?; form-action( 'none')?; frame-ancestors( 'none')?$/;

test('every answer is JSON in UTF-8, with the headers of every answer', async () => {
  const user = await client();
  const answers = [
    // Most: the version check, the settings of the apps and the keys say something else of caches.
    await user.get('/users/agreements/marketing/history'),
    await user.get('/users/agreements'),
    await user.delete('/users/agreements/terms-of-service/consent'),
    await user.get('/no-such-path'),
    await call('GET', '/users/agreements'),
  ];
  for (const { headers } of answers) {
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    expect(headers.get('content-security-policy')).toMatch(policy);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('x-request-id') ?? headers.get('x-amzn-requestid')).toBeTruthy();
  }
  expect(answers[0]?.headers.get('x-request-id')).toBe(answers[0]?.headers.get('x-amz-apigw-id'));
});

/** A name outside of these could say what the service is made of: `Server`, `X-Powered-By` and `Via` do. */
const ownHeaders = [
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'cache-control',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'etag',
  'referrer-policy',
  'retry-after',
  'strict-transport-security',
  'x-content-type-options',
  'x-request-id',
];
/** API Gateway and HTTP add these. */
const headersOfTransport = [
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-amz-apigw-id',
  'x-amzn-errortype',
  'x-amzn-requestid',
  'x-amzn-trace-id',
];

test('an answer has no header but the known ones', async () => {
  const user = await client();
  const preflight = { 'Access-Control-Request-Method': 'DELETE', Origin: 'https://app.example.com' };
  const answers = [
    await user.get('/users/agreements'),
    await user.get('/users/me'),
    await user.get('/no-such-path'),
    await user.get('/users/agreements?limit=x'),
    await call('GET', '/users/agreements'),
    await call('GET', '/users/agreements', { token: 'not-a-token' }),
    await call('GET', '/health'),
    await call('OPTIONS', '/users/agreements', { headers: preflight }),
    await user.post('/agreements/versions/marketing-1.0/agree', { body: { x: 'x'.repeat(11_000_000) } }),
  ];
  for (const { headers, status } of answers) {
    const others = [...headers.keys()].filter((name) => ![...ownHeaders, ...headersOfTransport].includes(name));
    expect(others, `${status}`).toEqual([]);
    for (const [name, value] of headers) {
      // Letters at random may spell any of the words.
      if (['x-amz-apigw-id', 'x-request-id'].includes(name)) expect(value).toMatch(/^[\w-]{15}=$/);
      else expect(value, name).not.toMatch(/node|express|middy|nginx|lambda|sdk/i);
    }
  }
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
