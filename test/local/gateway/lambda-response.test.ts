import { describe, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { api, failure, stage, testGateway } from './gateway.ts';

const answered = async (payload: unknown) => {
  await using gateway = await testGateway(stage([api()]), { echo: () => payload });
  const response = await gateway.fetch('/de/v1/things');
  return { status: response.status, headers: response.headers, text: await response.text(), entry: gateway.entries[0] };
};

test('status, headers, lists of headers and body go to the client', async () => {
  const { status, headers, text } = await answered({
    statusCode: 201,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Number': 3, 'X-Both': 'single' },
    multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'], 'x-both': ['list'] },
    body: 'grüße',
    isBase64Encoded: false,
  });
  expect([status, text, headers.get('content-type')]).toEqual([201, 'grüße', 'text/plain; charset=utf-8']);
  expect([headers.get('x-number'), headers.get('x-both'), headers.getSetCookie()]).toEqual([
    '3',
    'list',
    ['a=1', 'b=2'],
  ]);
  expect(headers.get('content-length')).toBe('7');
});

test('without a Content-Type it is application/json; without a body it is empty', async () => {
  const { status, headers, text } = await answered({ statusCode: 200 });
  expect([status, headers.get('content-type'), text]).toEqual([200, 'application/json', '']);
});

test.each([204, 304])('%i has no body', async (statusCode) => {
  const { status, text, headers } = await answered({ statusCode, body: 'dropped' });
  expect([status, text, headers.get('content-length')]).toEqual([statusCode, '', null]);
});

test('headers that belong to the connection come under another name', async () => {
  const { headers } = await answered({
    statusCode: 401,
    headers: { 'WWW-Authenticate': 'Bearer', 'Content-Length': '999', Connection: 'close', Date: 'never' },
  });
  expect(headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
  expect(headers.get('x-amzn-remapped-content-length')).toBe('999');
  expect(headers.get('www-authenticate')).toBeNull();
  expect(headers.get('date')).toMatch(/GMT$/);
});

test('a base64 body stays text, as these APIs have no binary media types', async () => {
  expect((await answered({ statusCode: 200, body: 'aGk=', isBase64Encoded: true })).text).toBe('aGk=');
});

describe('a malformed answer is 502', () => {
  test.each([
    [null],
    ['text'],
    [[]],
    [{ body: 'x' }],
    [{ statusCode: 99 }],
    [{ statusCode: 101 }],
    [{ statusCode: 'ok' }],
    [{ statusCode: 200.5 }],
    [{ statusCode: 200, body: { a: 1 } }],
    [{ statusCode: 200, cookies: [] }],
    [{ statusCode: 200, headers: [] }],
    [{ statusCode: 200, headers: { a: {} } }],
    [{ statusCode: 200, headers: { 'X-Split': 'a\r\nSet-Cookie: b' } }],
    [{ statusCode: 200, headers: { 'not a name': 'x' } }],
    [{ statusCode: 200, headers: { 'Transfer-Encoding': 'chunked' } }],
    [{ statusCode: 200, multiValueHeaders: { a: 'b' } }],
  ])('%j', async (payload) => {
    const { status, text, entry } = await answered(payload);
    expect([status, text]).toEqual([502, '{"message":"Internal server error"}']);
    expect(entry).toMatchObject({
      gatewayResponse: 'API_CONFIGURATION_ERROR',
      error: expect.stringContaining('malformed'),
    });
  });
});

test.each(['crash', 'timeout', 'error'] as const)(
  'a function’s %s is 502, with its words only for the developer',
  async (kind) => {
    const { status, text, entry } = await answered(failure(kind, 'table secrets-123 is gone', 'SomeError'));
    expect([status, text]).toEqual([502, '{"message":"Internal server error"}']);
    expect(entry).toMatchObject({
      gatewayResponse: 'INTEGRATION_FAILURE',
      error: 'SomeError: table secrets-123 is gone',
    });
  },
);

test('an invocation that is rejected by the one who should make it is 502 as well', async () => {
  await using gateway = await testGateway(stage([api()]), {
    echo: () => {
      throw new Error('no such function');
    },
  });
  expect((await gateway.fetch('/de/v1/things')).status).toBe(502);
});

test('an event that is too large for Lambda is 413', async () => {
  expect((await answered(failure('error', 'too large', 'RequestEntityTooLargeException'))).status).toBe(413);
});

test('an integration that takes too long is answered once', async () => {
  const open = Promise.withResolvers<void>();
  let late = 0;
  const slow = api();
  const methods = slow.methods.map((item) => ({ ...item, integration: { ...item.integration, timeoutMs: 40 } }));
  await using gateway = await testGateway(stage([{ ...slow, methods } as typeof slow]), {
    echo: async () => {
      await open.promise;
      late += 1;
      return { statusCode: 200 };
    },
  });
  expect((await gateway.fetch('/de/v1/things')).status).toBe(504);
  open.resolve();
  // The function runs to its end, as on AWS.
  await eventually(() => expect(late).toBe(1));
  await gateway.fetch('/de/none');
  expect(gateway.entries).toHaveLength(2);
});
