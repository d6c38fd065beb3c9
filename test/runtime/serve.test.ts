import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AgreementNotFound } from '../../functions/agreements/errors.ts';
import { administerAgreements, readOwnConsents } from '../../functions/agreements/permissions.ts';
import { Agreements } from '../../functions/agreements/tables.ts';
import { AgreementVersionNotActive } from '../../functions/consents/errors.ts';
import { writeOwnConsents } from '../../functions/consents/permissions.ts';
import type { Position } from '../../lib/contract/collection.ts';
import { Unavailable } from '../../lib/contract/common-errors.ts';
import { Id, pathId } from '../../lib/contract/fields.ts';
import { readRing } from '../../lib/contract/key-ring.ts';
import { type Route, route } from '../../lib/contract/route.ts';
import { read } from '../../lib/contract/uses.ts';
import { sealCursor } from '../../lib/runtime/cursor.ts';
import { Failure } from '../../lib/runtime/failure.ts';
import type { Handle } from '../../lib/runtime/handle.ts';
import { hashOfUser } from '../../lib/runtime/log.ts';
import { ownPaging, paging } from '../../lib/runtime/paging.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { hangMs } from '../hang.ts';

const userId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const farFuture = '4102444800';
/** The tests' real time, in seconds. */
const nowSeconds = Date.parse('2026-06-01T12:00:00.000Z') / 1000;

type ServedRequest = {
  query?: Record<string, string[]>;
  body?: string;
  headers?: Record<string, string | string[]>;
  path?: string;
  authorizer?: object | null;
  remainingMs?: number;
};

const client = {} as DynamoDBDocumentClient;
const dynamo = () => client;

/** One invocation, its answer and its log. */
async function invoke<R extends Route>(declaration: R, handle: Handle<R>, asked: ServedRequest = {}) {
  const lines: string[] = [];
  const runtime = {
    variables: {
      ENVIRONMENT: 'dev',
      APPLICATION: 'sleepcare',
      AGREEMENTS_TABLE: 'agreements-table',
      CURSOR_KEY: 'k'.repeat(64),
    },
    clock: () => new Date('2026-03-01T12:00:00.000Z'),
    realNow: () => new Date('2026-06-01T12:00:00.000Z'),
    dynamo,
    write: (line: string) => lines.push(line),
    paging: declaration.cursors ? ownPaging : paging,
  };
  const handler = serve(declaration)(handle)(runtime);
  const { body = null, headers = {}, remainingMs = hangMs } = asked;
  const authorizer = asked.authorizer === undefined ? { userId, roles: 'patient', exp: farFuture } : asked.authorizer;
  const event = {
    httpMethod: declaration.method,
    path: asked.path ?? declaration.path.replace('{id}', 'an%2Did'),
    pathParameters: { id: 'an%2Did' },
    multiValueQueryStringParameters: asked.query ?? null,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()])),
    body,
    isBase64Encoded: false,
    requestContext: {
      requestId: 'plain',
      extendedRequestId: 'extended',
      authorizer,
      identity: { sourceIp: '192.0.2.1' },
    },
  } as unknown as APIGatewayProxyEvent;
  const context = { getRemainingTimeInMillis: () => remainingMs } as Context;
  const answer = (await handler(event, context)) as APIGatewayProxyResult;
  return {
    status: answer.statusCode,
    headers: answer.headers ?? {},
    body: answer.body === '' ? null : JSON.parse(answer.body),
    log: lines.join(''),
  };
}

const reading = route({
  method: 'GET',
  path: '/things/{id}',
  summary: 'A thing',
  applications: ['sleepcare'],
  auth: readOwnConsents,
  uses: [read(Agreements)],
  params: z.object({ id: pathId(AgreementNotFound) }),
  response: z.object({ id: Id, at: z.string() }),
  errors: [AgreementNotFound, AgreementVersionNotActive],
});
const found: Handle<typeof reading> = async ({ params, now }) => ({ id: params.id, at: now.toISOString() });

describe('an answer', () => {
  test('has the declared fields, no others, and the headers of every answer', async () => {
    const more = async (input: Parameters<typeof found>[0]) => ({ ...(await found(input)), secret: 'x' });
    const { status, headers, body } = await invoke(reading, more as typeof found);
    expect(status).toBe(200);
    expect(body).toEqual({ id: 'an-id', at: '2026-03-01T12:00:00.000Z' });
    expect(headers).toEqual({
      'Content-Type': 'application/json; charset=utf-8',
      'X-Request-Id': 'extended',
      'Cache-Control': 'no-store',
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
      'Content-Security-Policy':
        "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': expect.stringContaining('X-Request-Id'),
    });
  });

  test('gives the handler its declared tables, the caller, the application and the rules’ clock', async () => {
    let seen: unknown;
    await invoke(reading, async (input) => {
      const { tables, caller, application, environment, requestId, params } = input;
      seen = { tables, caller, application, environment, requestId, params };
      return found(input);
    });
    expect(seen).toEqual({
      tables: { Agreements: { client, name: 'agreements-table' } },
      caller: { userId, username: userId, roles: ['patient'], sessionId: null, signedInAt: null },
      application: 'sleepcare',
      environment: 'dev',
      requestId: 'extended',
      params: { id: 'an-id' },
    });
  });
});

describe('an ETag', () => {
  const tagged = route({
    method: 'GET',
    path: '/tagged',
    summary: 'A thing with a version',
    applications: ['sleepcare'],
    auth: 'public',
    etag: true,
    cacheControl: 'private, max-age=0',
    response: z.object({ version: z.int() }),
    errors: [],
  });
  const third: Handle<typeof tagged> = async () => ({ etag: '"3"', body: { version: 3 } });

  test('comes with the body', async () => {
    const { status, headers, body } = await invoke(tagged, third);
    expect([status, body]).toEqual([200, { version: 3 }]);
    expect(headers).toMatchObject({ ETag: '"3"', 'Cache-Control': 'private, max-age=0' });
  });

  test.each([
    ['"3"', 304],
    ['W/"3"', 304],
    ['"1", W/"3"', 304],
    ['*', 304],
    ['"2"', 200],
    ['3', 200],
    ['', 200],
  ])('If-None-Match: %s is %i', async (given, expected) => {
    const { status, headers, body } = await invoke(tagged, third, { headers: { 'If-None-Match': given } });
    expect(status).toBe(expected);
    expect(headers.ETag).toBe('"3"');
    if (status === 304) expect([body, headers['Content-Type']]).toEqual([null, undefined]);
  });
});

describe('an error', () => {
  test('that is declared carries its code, sentence and detail', async () => {
    const detail = { agreementId: 'a', activeVersionId: null };
    const answer = await invoke(reading, async ({ fail }) => fail(AgreementVersionNotActive, detail));
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ code: 'AGREEMENT_VERSION_NOT_ACTIVE', message: expect.any(String), detail });
  });

  test('that was thrown is a 500 that tells nothing, and its message stays out of the log too', async () => {
    const answer = await invoke(reading, async () => {
      throw new Error('secret-canary');
    });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ code: 'INTERNAL', message: expect.any(String), detail: null });
    expect(answer.log).not.toContain('secret-canary');
    expect(answer.log).toContain('serve.test.ts');
  });

  test.each([
    ['throttling', { name: 'ThrottlingException' }],
    ['a time-out', { name: 'TimeoutError' }],
    ['a refused connection', { code: 'ECONNREFUSED' }],
    ['a certificate that has expired', { code: 'CERT_HAS_EXPIRED' }],
    ['a certificate that nobody signed', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
    ['a certificate of another host', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
    ['an unknown issuer', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
    ['a broken handshake', { code: 'EPROTO' }],
    ['a server fault', { name: 'InternalServerError', $fault: 'server' }],
  ])('of a dependency, by %s, is a 503 with Retry-After', async (_name, error) => {
    const answer = await invoke(reading, () => Promise.reject(Object.assign(new Error('x'), error)));
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' }, headers: { 'Retry-After': '5' } });
    expect(JSON.parse(answer.log).error.code).toBe((error as { code?: string }).code);
    // Otherwise a browser hides it from the page.
    expect(answer.headers['Access-Control-Expose-Headers']).toContain('Retry-After');
  });

  test.each(['patient@example.com', 'secret-canary', 'x', 17, null])(
    'whose code is %j, no word of Node’s, keeps it out of the log, also as a cause',
    async (code) => {
      for (const error of [Object.assign(new Error('x'), { code }), new Error('x', { cause: { code } })]) {
        const answer = await invoke(reading, () => Promise.reject(error));
        expect(JSON.parse(answer.log).error).toEqual({ name: 'Error', at: expect.any(Array) });
      }
    },
  );

  test('is a 500 and a metric if the response does not fit its declaration', async () => {
    const answer = await invoke(reading, (async () => ({ id: 7 })) as unknown as typeof found);
    expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL' } });
    expect(JSON.parse(answer.log)).toMatchObject({
      serverErrors: 1,
      responseMismatch: 1,
      _aws: {
        CloudWatchMetrics: [
          {
            Namespace: 'MobileHealth',
            Dimensions: [['application', 'route']],
            Metrics: [
              { Name: 'serverErrors', Unit: 'Count' },
              { Name: 'responseMismatch', Unit: 'Count' },
            ],
          },
        ],
      },
    });
  });

  test('is a 504 a second before the function would be killed', async () => {
    const later = Promise.withResolvers<string>();
    const hanging = () => {
      // Timers end in the order of their times, however late they are: this one after 50 ms, before any shorter reserve.
      setTimeout(() => later.resolve('later'), 60);
      return new Promise<never>(() => {});
    };
    const answer = await Promise.race([invoke(reading, hanging, { remainingMs: 1_050 }), later.promise]);
    expect(answer).toMatchObject({ status: 504, body: { code: 'TIMEOUT' } });
  });
});

describe('the caller', () => {
  test.each([
    ['without an authorizer’s word', null, 401, 'UNAUTHENTICATED'],
    ['whose token ended while the gateway cached it', { userId, roles: '', exp: '1000' }, 401, 'UNAUTHENTICATED'],
    ['whose token’s end is no number', { userId, roles: '', exp: 'x' }, 401, 'UNAUTHENTICATED'],
    ['in no group of sleepcare', { userId, roles: '', exp: farFuture }, 200, undefined],
  ])('%s', async (_name, authorizer, status, code) => {
    const answer = await invoke(reading, found, { authorizer });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('without the permission is refused before the body is looked at', async () => {
    const writing = route({
      method: 'POST',
      path: '/things',
      summary: 'Makes a thing',
      applications: ['medinfo'],
      auth: administerAgreements,
      body: z.object({ name: z.string() }),
      response: z.object({ id: Id }),
      errors: [],
    });
    const answer = await invoke(writing, async () => ({ id: 'x' }), { body: '{broken' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});

test('a path with a slash at its end, which the gateway passes on, is another path', async () => {
  const answer = await invoke(reading, found, { path: '/v1/things/an%2Did/' });
  expect(answer).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND', detail: null } });
});

test.each([
  ['of one name', { Authorization: ['Bearer a', 'Bearer a'] }],
  ['in two cases', { Authorization: 'Bearer a', authorization: 'Bearer a' }],
])('two Authorization headers %s are none, whichever of them the authorizer was given', async (_name, headers) => {
  const answer = await invoke(reading, found, { headers });
  expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
});

test('null counts as no body: if one is required, the answer says so', async () => {
  const writing = route({
    method: 'PATCH',
    path: '/things',
    summary: 'Changes a thing',
    applications: ['sleepcare'],
    auth: writeOwnConsents,
    body: z.object({ name: z.optional(z.string()) }),
    response: z.object({ id: Id }),
    errors: [],
  });
  const issues = [{ in: 'body', path: '', code: 'required', message: expect.any(String) }];
  for (const body of ['null', ' null\n']) {
    const answer = await invoke(writing, async () => ({ id: 'x' }), { body });
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([400, 'VALIDATION_FAILED', { issues }]);
  }
});

describe('a tolerant route', () => {
  const tolerant = route({
    method: 'GET',
    path: '/tolerant',
    summary: 'A thing',
    applications: ['sleepcare'],
    auth: 'public',
    tolerant: true,
    query: z.object({ size: z.optional(z.enum(['s', 'm'])), name: z.optional(z.string()) }),
    headers: z.object({ 'x-mode': z.optional(z.enum(['a', 'b'])) }),
    response: z.object({ seen: z.string() }),
    errors: [],
  });
  const tell: Handle<typeof tolerant> = async ({ query, headers }) => ({ seen: JSON.stringify({ query, headers }) });

  test.each<[string, ServedRequest, object]>([
    ['nothing', {}, { query: {}, headers: {} }],
    ['what fits', { query: { size: ['s'], name: ['x'] } }, { query: { size: 's', name: 'x' }, headers: {} }],
    ['what does not fit', { query: { size: ['xl'], name: ['x'] } }, { query: { name: 'x' }, headers: {} }],
    ['what is repeated', { query: { size: ['s', 's'], name: ['x'] } }, { query: { name: 'x' }, headers: {} }],
    ['what is not declared', { query: { other: ['x', 'y'] } }, { query: {}, headers: {} }],
    ['a header that fits', { headers: { 'X-Mode': 'b' } }, { query: {}, headers: { 'x-mode': 'b' } }],
    ['a header that does not', { headers: { 'X-Mode': 'c' } }, { query: {}, headers: {} }],
  ])('reads %s', async (_name, asked, seen) => {
    const answer = await invoke(tolerant, tell, asked);
    expect([answer.status, JSON.parse(answer.body.seen)]).toEqual([200, seen]);
  });
});

describe('the counters of a handler', () => {
  const counting = route({
    method: 'GET',
    path: '/counting',
    summary: 'A thing',
    applications: ['sleepcare'],
    auth: 'public',
    counts: { strange: { alarmAbove: 0.1, impact: 'Strange.' }, missing: { alarmAbove: 0.1, impact: 'Missing.' } },
    response: z.object({ name: z.string() }),
    errors: [],
  });
  const metrics = (log: string) => {
    const { _aws, strange, missing, level, error } = JSON.parse(log);
    return {
      names: _aws?.CloudWatchMetrics[0].Metrics.map(({ Name }: { Name: string }) => Name),
      strange,
      missing,
      level,
      error,
    };
  };
  const names = ['strange', 'missing'];

  test('are 1 if it counted and 0 if it did not, so the average is a share', async () => {
    const { log } = await invoke(counting, async ({ count }) => {
      count('strange');
      return { name: 'x' };
    });
    expect(metrics(log)).toEqual({ names, strange: 1, missing: 0, level: 'INFO' });
  });

  test('are on a warning if there is an error to report', async () => {
    const { log, status } = await invoke(counting, async ({ count }) => {
      count('missing', new TypeError('a canary'));
      return { name: 'x' };
    });
    const error = { name: 'TypeError', at: expect.any(Array) };
    expect([status, metrics(log)]).toEqual([200, { names, strange: 0, missing: 1, level: 'WARN', error }]);
    expect(log).not.toContain('canary');
  });

  test('is written for a request that failed, too', async () => {
    const { log, status } = await invoke(counting, async ({ count }) => {
      count('strange');
      throw new Error('a defect');
    });
    expect(status).toBe(500);
    const error = { name: 'Error' };
    expect(metrics(log)).toMatchObject({
      ...{ names: ['serverErrors', ...names], strange: 1, missing: 0 },
      ...{ level: 'ERROR', error },
    });
  });

  test('counters for only the dashboard work in the same way', async () => {
    const { counts: _, ...declared } = counting;
    const shown = route({ ...declared, metrics: ['strange'] });
    const counted = await invoke(shown, async ({ count }) => {
      count('strange');
      return { name: 'x' };
    });
    expect(metrics(counted.log)).toMatchObject({ names: ['strange'], strange: 1 });
    expect(metrics((await invoke(shown, async () => ({ name: 'x' }))).log)).toMatchObject({
      names: ['strange'],
      strange: 0,
    });
  });

  test('are nothing if nothing is declared, and no request fails', async () => {
    expect(metrics((await invoke(reading, found)).log).names).toBeUndefined();
    const refused = await invoke(reading, async ({ fail }) => fail(AgreementNotFound));
    expect(metrics(refused.log).names).toBeUndefined();
    const unavailable = await invoke(reading, () => Promise.reject(new Failure(Unavailable)));
    expect(metrics(unavailable.log).names).toEqual(['serverErrors']);
  });
});

describe('the log', () => {
  test('is one line for each request that says who and what, and nothing about the content', async () => {
    const writing = route({
      method: 'POST',
      path: '/things',
      summary: 'Makes a thing',
      applications: ['sleepcare'],
      auth: writeOwnConsents,
      body: z.object({ name: z.string() }),
      response: z.object({ id: Id }),
      errors: [],
    });
    const { log } = await invoke(writing, async () => ({ id: 'x' }), {
      body: '{"name":"body-canary"}',
      headers: { 'content-type': 'application/json', authorization: 'Bearer token-canary' },
    });
    expect(log.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(log)).toEqual({
      time: '2026-06-01T12:00:00.000Z',
      level: 'INFO',
      message: 'request',
      requestId: 'extended',
      application: 'sleepcare',
      route: 'POST /things',
      status: 200,
      durationMs: expect.any(Number),
      user: hashOfUser(userId),
      coldStart: true,
    });
    expect(log).not.toMatch(/canary/);
    expect(log).not.toContain(userId);
  });
});

describe('a route that asks for a fresh sign-in', () => {
  const fresh = route({
    method: 'POST',
    path: '/fresh',
    summary: 'Asks for a sign-in of the last ten minutes',
    applications: ['sleepcare'],
    auth: writeOwnConsents,
    signedInWithinSeconds: 600,
    response: z.object({ done: z.boolean() }),
    errors: [],
  });
  const asked = async (signedInAt: string | undefined, more: object = {}) => {
    const authorizer = {
      userId,
      roles: 'patient',
      exp: farFuture,
      ...(signedInAt !== undefined && { signedInAt }),
      ...more,
    };
    const { status, body } = await invoke(fresh, async () => ({ done: true }), { authorizer });
    return [status, body.code];
  };

  test.each([
    ['at this moment', String(nowSeconds), 200, undefined],
    ['ten minutes ago', String(nowSeconds - 600), 200, undefined],
    ['a second longer ago', String(nowSeconds - 601), 403, 'SIGN_IN_TOO_OLD'],
    ['nobody knows when', '', 403, 'SIGN_IN_TOO_OLD'],
    ['nobody knows when, as before this was passed on', undefined, 403, 'SIGN_IN_TOO_OLD'],
    ['at no time', 'x', 403, 'SIGN_IN_TOO_OLD'],
  ])('%s', async (_name, signedInAt, status, code) => {
    expect(await asked(signedInAt)).toEqual([status, code]);
  });

  test('whose token has ended gets that answer first', async () => {
    expect(await asked('', { exp: '1000' })).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('is none of everybody', () => {
    expect(() => route({ ...fresh, auth: 'public' })).toThrow('nobody has signed in on a public route');
  });
});

describe('the cursor of a collection', () => {
  const list = route({
    method: 'GET',
    path: '/list',
    summary: 'A list',
    applications: ['sleepcare'],
    auth: readOwnConsents,
    cursor: ['place', 'left?'],
    items: z.object({ seen: z.string() }),
    errors: [],
  });
  const sealed = (position: Position, declared: Route = list) =>
    sealCursor(position, readRing('k'.repeat(64), 'CURSOR_KEY'), [
      'sleepcare',
      userId,
      `GET ${declared.path}`,
      JSON.stringify({}),
    ]);
  const seen: Handle<typeof list> = async ({ page }) => ({ items: [{ seen: JSON.stringify(page.after) }], next: null });
  const opened = async (position: Position) => {
    const { body } = await invoke(list, seen, { query: { cursor: [sealed(position)] } });
    return JSON.parse(body.items[0].seen);
  };

  test('of an earlier release opens, and a number is a text; one that lacks a field is refused', async () => {
    expect(await opened({ place: 'p', left: 3 })).toEqual({ place: 'p', left: '3' });
    expect(await opened({ place: 7 })).toEqual({ place: '7' });
    const lacking = await invoke(list, seen, { query: { cursor: [sealed({ left: 3 })] } });
    expect([lacking.status, lacking.body.code]).toEqual([400, 'INVALID_CURSOR']);
  });

  test('of one field is that field', async () => {
    const one = route({ ...list, path: '/one', cursor: 'deviceId' });
    const handle: Handle<typeof one> = async ({ page }) => ({ items: [{ seen: String(page.after) }], next: 'd2' });
    const first = await invoke(one, handle);
    expect(first.body).toMatchObject({ items: [{ seen: 'null' }], metadata: { hasMore: true } });
    const next = await invoke(one, handle, { query: { cursor: [first.body.metadata.nextCursor] } });
    expect(next.body.items).toEqual([{ seen: 'd2' }]);
    const earlier = await invoke(one, handle, { query: { cursor: [sealed({ deviceId: 'd1' }, one)] } });
    expect(earlier.body.items).toEqual([{ seen: 'd1' }]);
  });
});

describe('a page in its own form', () => {
  const bundle = route({
    method: 'GET',
    path: '/bundle',
    summary: 'A bundle.',
    applications: ['sleepcare'],
    auth: readOwnConsents,
    query: z.object({ cursor: z.optional(z.string()) }),
    cursors: true,
    response: z.object({ after: z.number(), next: z.string() }),
    errors: [],
  });
  const other = { ...bundle, path: '/other' } as const;
  const handle: Handle<typeof bundle> = async ({ query, page }) => {
    const after = query.cursor === undefined ? 0 : Number(page.open(query.cursor).after);
    return { after, next: page.seal({ after: after + 1 }) };
  };

  test('its cursors work only for the caller and the route', async () => {
    const first = await invoke(bundle, handle);
    const { next } = first.body;
    const follow = (declaration: typeof bundle | typeof other, asked: ServedRequest = {}) =>
      invoke(declaration as typeof bundle, handle, { ...asked, query: { cursor: [next] } });
    expect((await follow(bundle)).body).toMatchObject({ after: 1 });
    const stranger = { userId: '7c9e6679-7425-40de-944b-e07fc1f90ae7', roles: 'patient', exp: farFuture };
    for (const answer of [await follow(other), await follow(bundle, { authorizer: stranger })]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_CURSOR']);
    }
  });

  test('its function does not load without pages', () => {
    const runtime = { variables: {}, clock: () => new Date(), realNow: () => new Date(), write: () => {} };
    expect(() => serve(bundle)(handle)(runtime)).toThrow('the runtime has no pages');
  });
});
