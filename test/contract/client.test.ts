import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { AgreementVersionNotActive, RequiredAgreement } from '../../functions/consents/errors.ts';
import * as consents from '../../functions/consents/routes.ts';
import { client, Refused, UnexpectedAnswer } from '../../lib/contract/client.ts';
import { Internal, InvalidCursor, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { errorBody } from '../../lib/contract/errors.ts';
import { listThings, rename } from './must-not-compile/example.ts';

type Seen = { method: string | undefined; url: string | undefined; headers: IncomingMessage['headers']; body: string };

let seen: Seen[] = [];
let answers: { status: number; body: unknown }[] = [];
const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  seen.push({ method, url, headers, body: await text(request) });
  const { status, body } = answers.shift() ?? { status: 500, body: errorBody(Internal) };
  response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'r1' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
});
let baseUrl = '';

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  baseUrl = typeof address === 'object' ? `http://127.0.0.1:${address?.port}/de/v1` : '';
});
afterAll(() => server.close());
beforeEach(() => {
  seen = [];
  answers = [];
});

async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

function api() {
  return client({ baseUrl, routes: { ...consents, rename, listThings }, token: async () => 'the-token' });
}

const revoked = { success: true, agreementId: 'marketing', agreed: false, revokedAt: '2026-03-01T08:30:00.000Z' };
const metadata = { limit: 2, count: 2, hasMore: true, nextCursor: 'c1' };

describe('the request', () => {
  test('the path parameters are encoded, the token is a bearer token, no body is no body', async () => {
    answers = [{ status: 200, body: revoked }];
    await api().revokeConsent({ params: { agreementId: 'a/b ü%' } });
    expect(seen[0]).toMatchObject({
      method: 'DELETE',
      url: '/de/v1/users/agreements/a%2Fb%20%C3%BC%25/consent',
      headers: { authorization: 'Bearer the-token' },
      body: '',
    });
    expect(seen[0]?.headers).not.toHaveProperty('content-type');
  });

  test('query, headers and body', async () => {
    answers = [
      { status: 200, body: { items: [], metadata: { ...metadata, nextCursor: null } } },
      { status: 200, body: { name: 'two' } },
    ];
    await api().listAgreements({
      query: { locale: 'de-AT', limit: 5, cursor: 'a+b&c=' },
      headers: { 'accept-language': 'de' },
    });
    expect(seen[0]?.url).toBe('/de/v1/users/agreements?locale=de-AT&limit=5&cursor=a%2Bb%26c%3D');
    expect(seen[0]?.headers['accept-language']).toBe('de');
    await api().rename({ params: { thingId: 'one' }, body: { name: 'zwei ü' } });
    expect(seen[1]).toMatchObject({ body: '{"name":"zwei ü"}', headers: { 'content-type': 'application/json' } });
  });

  test('undefined values are left out, and a base address may end in a slash', async () => {
    answers = [{ status: 200, body: { items: [], metadata: { ...metadata, nextCursor: null } } }];
    const { listAgreements } = client({ baseUrl: `${baseUrl}/`, routes: consents });
    await listAgreements({ query: { locale: undefined } });
    expect(seen[0]?.url).toBe('/de/v1/users/agreements');
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test('a public route gets no token', async () => {
    answers = [{ status: 200, body: { items: [], metadata: { ...metadata, nextCursor: null } } }];
    await api().listThings();
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each(['', '.', '..'])('the segment %j, which a URL does not keep, is refused', async (agreementId) => {
    await expect(api().revokeConsent({ params: { agreementId } })).rejects.toThrow(TypeError);
    expect(seen).toEqual([]);
  });
});

describe('the answer', () => {
  test('a success has the declared body', async () => {
    answers = [{ status: 200, body: { ...revoked, undeclared: 1 } }];
    const answer = await api().revokeConsent({ params: { agreementId: 'marketing' } });
    expect(answer).toMatchObject({ ok: true, status: 200 });
    expect(answer.ok && answer.body).toEqual(revoked);
    expect(answer.headers.get('x-request-id')).toBe('r1');
  });

  test('a declared error is a value', async () => {
    answers = [{ status: 400, body: errorBody(RequiredAgreement) }];
    const answer = await api().revokeConsent({ params: { agreementId: 'terms-of-service' } });
    expect(answer).toMatchObject({ ok: false, status: 400, code: 'AGREEMENT_REQUIRED', detail: null });
  });

  test('its detail is that of its code', async () => {
    const detail = { agreementId: 'marketing', activeVersionId: 'marketing-2' };
    answers = [{ status: 409, body: errorBody(AgreementVersionNotActive, detail) }];
    const answer = await api().agree({ params: { versionId: 'marketing-1' } });
    if (answer.ok || answer.code !== 'AGREEMENT_VERSION_NOT_ACTIVE') throw new Error('another answer');
    expectTypeOf(answer.status).toEqualTypeOf<409>();
    expect(answer.detail?.activeVersionId).toBe('marketing-2');
  });

  test.each<[string, number, unknown]>([
    ['a code that the route does not declare', 409, errorBody(AgreementVersionNotActive)],
    ['a code under another status', 404, errorBody(RequiredAgreement)],
    ['an unknown code', 400, { code: 'NEW', message: 'New.', detail: null }],
    ['a detail of another shape', 400, { ...errorBody(ValidationFailed), detail: { issues: 'none' } }],
    ['an error without a detail', 400, { code: 'AGREEMENT_REQUIRED', message: 'No.' }],
    ['a body of another shape', 200, { ...revoked, revokedAt: 'yesterday' }],
    ['another status of success', 201, revoked],
    ['no JSON', 502, '<html>Bad Gateway</html>'],
    ['nothing', 200, ''],
  ])('%s is thrown', async (_, status, body) => {
    answers = [{ status, body }];
    const answer = api().revokeConsent({ params: { agreementId: 'marketing' } });
    await expect(answer).rejects.toThrow(UnexpectedAnswer);
    await expect(answer).rejects.toMatchObject({ status });
  });
});

describe('a collection', () => {
  const pages = [
    { items: [{ name: 'a' }, { name: 'b' }], metadata },
    { items: [{ name: 'c' }], metadata: { limit: 2, count: 1, hasMore: false, nextCursor: null } },
  ];

  test('is iterated over page by page, with the query kept', async () => {
    answers = pages.map((body) => ({ status: 200, body }));
    expect(await collected(api().listThings.pages({ query: { limit: 2 } }))).toEqual(pages);
    expect(seen.map(({ url }) => url)).toEqual(['/de/v1/things?limit=2', '/de/v1/things?limit=2&cursor=c1']);
  });

  test('and item by item', async () => {
    answers = pages.map((body) => ({ status: 200, body }));
    expect(await collected(api().listThings.all())).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  });

  test('asks for no more than is wanted', async () => {
    answers = pages.map((body) => ({ status: 200, body }));
    for await (const { name } of api().listThings.all()) if (name === 'a') break;
    expect(seen).toHaveLength(1);
  });

  test('a refusal on the way is thrown', async () => {
    answers = [
      { status: 200, body: pages[0] },
      { status: 400, body: errorBody(InvalidCursor) },
    ];
    const all = collected(api().listThings.all());
    await expect(all).rejects.toThrow(Refused);
    await expect(all).rejects.toMatchObject({ refusal: { code: 'INVALID_CURSOR', status: 400 } });
  });
});
