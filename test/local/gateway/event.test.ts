import { expect, test } from 'vitest';
import { parseQuery } from '../../../lib/local/gateway/event.ts';
import { api, authorized, method, policy, stage, testGateway } from './gateway.ts';

const users = api({ methods: [method('POST', '/v1/users/{userId}/notes/{noteId}', 'echo')] });

test('the proxy event is complete', async () => {
  await using gateway = await testGateway(stage([users]), {}, { now: () => Date.UTC(2026, 3, 9, 7, 5, 6, 7) });
  const response = await gateway.fetch('/de/v1/users/a%2Fb/notes/%zz?x=1&x=%C3%A4+b&flag&__proto__=p', {
    method: 'POST',
    body: '{"text":"grüße"}',
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'test/1', 'X-Forwarded-For': '203.0.113.7' },
  });
  const event = (await response.json()) as (typeof gateway.calls)[number]['event'];
  expect(event).toMatchObject({
    resource: '/v1/users/{userId}/notes/{noteId}',
    path: '/v1/users/a%2Fb/notes/%zz',
    httpMethod: 'POST',
    queryStringParameters: { x: 'ä b', flag: '' },
    multiValueQueryStringParameters: { x: ['1', 'ä b'], flag: [''] },
    pathParameters: { userId: 'a%2Fb', noteId: '%zz' },
    stageVariables: null,
    body: '{"text":"grüße"}',
    isBase64Encoded: false,
    requestContext: {
      resourcePath: '/v1/users/{userId}/notes/{noteId}',
      httpMethod: 'POST',
      path: '/de/v1/users/a%2Fb/notes/%zz',
      stage: 'de',
      apiId: 'sleep',
      accountId: '111122223333',
      protocol: 'HTTP/1.1',
      domainName: '127.0.0.1',
      requestTime: '09/Apr/2026:07:05:06 +0000',
      requestTimeEpoch: 1775718306007,
      requestId: response.headers.get('x-amzn-requestid'),
      extendedRequestId: response.headers.get('x-amz-apigw-id'),
      identity: { sourceIp: '127.0.0.1', userAgent: 'test/1', accountId: null, userArn: null },
    },
  });
  expect(Object.hasOwn(event.queryStringParameters ?? {}, '__proto__')).toBe(true);
  expect(event.requestContext.resourceId).toMatch(/^[0-9a-f]{6}$/);
  expect(event.requestContext).not.toHaveProperty('authorizer');
  expect(event.headers).toMatchObject({
    'Content-Type': 'application/json',
    'X-Forwarded-For': '203.0.113.7, 127.0.0.1',
    'X-Forwarded-Port': String(gateway.port),
    'X-Forwarded-Proto': 'http',
    'X-Amzn-Trace-Id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
  });
});

test('header names stay as received, the last value wins, and what concerns the connection is dropped', async () => {
  await using gateway = await testGateway(stage([api()]));
  const answer = await gateway.raw(
    'GET /de/v1/things HTTP/1.1\r\nHost: x\r\nX-Many: a\r\nX-Many: b\r\nx-CASE: c\r\n__proto__: d\r\n' +
      'TE: trailers\r\nx-forwarded-for: 203.0.113.9\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n',
  );
  const event = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
  expect(event.headers).toMatchObject({ 'X-Many': 'b', 'x-CASE': 'c', 'X-Forwarded-Proto': 'http' });
  expect(event.multiValueHeaders).toMatchObject({ 'X-Many': ['a', 'b'], 'x-CASE': ['c'] });
  expect(Object.hasOwn(event.headers, '__proto__')).toBe(true);
  expect(event.headers['X-Forwarded-For']).toBe('203.0.113.9, 127.0.0.1');
  expect(Object.keys(event.headers)).not.toContain('x-forwarded-for');
  expect(Object.keys(event.headers)).not.toContain('TE');
  expect(Object.keys(event.headers)).not.toContain('Connection');
});

test('without a query, variables or a body there is null', async () => {
  await using gateway = await testGateway(stage([api()]));
  expect(await gateway.event('/de/v1/things?')).toMatchObject({
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    body: null,
  });
});

test('what the authorizer gave is text, beside its principal', async () => {
  const model = stage([api({ methods: [method('GET', '/v1/things', 'echo', authorized)] })]);
  const context = { sub: 'u', exp: 17, admin: true };
  await using gateway = await testGateway(model, { authorizer: () => policy('Allow', '*', { context }) });
  const event = await gateway.event('/de/v1/things', { headers: { authorization: 'Bearer a' } });
  expect(event.requestContext.authorizer).toMatchObject({ sub: 'u', exp: '17', admin: 'true', principalId: 'user-1' });
});

test('the caller can set the plain request id, never the extended one, and both are on every answer', async () => {
  await using gateway = await testGateway(stage([api()]));
  const headers = { 'x-amzn-requestid': 'mine-1', 'x-amz-apigw-id': 'mine-2' };
  for (const path of ['/de/v1/things', '/de/none', '/none']) {
    const response = await gateway.fetch(path, { headers });
    expect(response.headers.get('x-amzn-requestid')).toBe('mine-1');
    expect(response.headers.get('x-amz-apigw-id')).toMatch(/^[\w-]{15}=$/);
  }
  expect(gateway.calls[0]?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  const odd = await gateway.fetch('/de/none', { headers: { 'x-amzn-requestid': '"><script>' } });
  expect(odd.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
});

test('the log entry of a request tells nothing that a person sent', async () => {
  await using gateway = await testGateway(stage([users]));
  const init = { method: 'POST', body: 'secret-body', headers: { Authorization: 'Bearer secret-token' } };
  await gateway.fetch('/de/v1/users/u/notes/n?email=secret-query', init);
  expect(gateway.entries).toMatchObject([
    { method: 'POST', path: '/de/v1/users/u/notes/n', resource: '/v1/users/{userId}/notes/{noteId}', status: 200 },
  ]);
  expect(JSON.stringify(gateway.entries)).not.toContain('secret');
});

test.each([
  ['a=1;b=2', { a: ['1'], b: ['2'] }],
  ['a=%E0%A4%A&b=%', { a: ['\ufffd%A'], b: ['%'] }],
  ['=x&&y=', { '': ['x'], y: [''] }],
  ['a%3Db=c%26d', { 'a=b': ['c&d'] }],
])('the query %s', (query, lists) => {
  expect({ ...parseQuery(query)?.lists }).toEqual(lists);
});
