import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AgreementContents } from '../../functions/agreements/buckets.ts';
import { AgreementNotFound, AgreementVersionNotFound } from '../../functions/agreements/errors.ts';
import { Agreements } from '../../functions/agreements/tables.ts';
import { ConsentRecords } from '../../functions/consents/tables.ts';
import { domains, errors, tables } from '../../functions/domains.ts';
import { LedgerKey } from '../../functions/ledger/signing-keys.ts';
import { deployments, environments } from '../../functions/product.ts';
import { PushQueue } from '../../functions/push/queues.ts';
import { bucketVariable } from '../../lib/contract/buckets.ts';
import { maxLimit, PageQuery } from '../../lib/contract/collection.ts';
import { environmentNamed } from '../../lib/contract/environment-named.ts';
import { errorBody, errorHeaders } from '../../lib/contract/errors.ts';
import { Email, Id, Locale, notFoundErrors, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { queueVariable } from '../../lib/contract/queues.ts';
import { earlierKeysVariable, signingKeyVariable } from '../../lib/contract/signing-keys.ts';
import { tableVariable } from '../../lib/contract/tables.ts';

describe('ids', () => {
  const good = ['a', 'terms-of-service', 'A.b_c-9', '...', 'x'.repeat(64), 'meme'];
  const reserved = ['me', 'versions', 'receipts', 'agreements', '.', '..'];
  const bad = ['', 'x'.repeat(65), 'a#b', 'a b', 'ä', 'a/b', 'a%2Fb', 'a\n', ...reserved];

  test.each(good)('%j is one', (text) => expect(z.safeParse(Id, text).success).toBe(true));
  test.each(bad)('%j is none', (text) => expect(z.safeParse(Id, text).success).toBe(false));

  test('a path id accepts the same, and has the 404 for everything else', () => {
    const schema = pathId(AgreementNotFound);
    expect(notFoundErrors.get(schema)).toBe(AgreementNotFound);
    expect(notFoundErrors.get(pathId(AgreementVersionNotFound))).toBe(AgreementVersionNotFound);
    expect(notFoundErrors.has(Id)).toBe(false);
    for (const text of good) expect(z.safeParse(schema, text).success).toBe(true);
    for (const text of bad) expect(z.safeParse(schema, text).success).toBe(false);
  });
});

describe('e-mail addresses', () => {
  test.each([
    ['anna@example.com', 'anna@example.com'],
    [' Anna+sleep@Example.com ', 'Anna+sleep@Example.com'],
    ['anna@müller.example', 'anna@xn--mller-kva.example'],
    ['anna@MÜLLER.example', 'anna@xn--mller-kva.example'],
    ['anna@mu\u0308ller.example', 'anna@xn--mller-kva.example'],
    ['anna@bücher。example', 'anna@xn--bcher-kva.example'],
    ['anna@xn--mller-kva.example', 'anna@xn--mller-kva.example'],
    ['anna@praxis.日本', 'anna@praxis.xn--wgv71a'],
  ])('%j is %j', (text, address) => expect(z.parse(Email, text)).toBe(address));

  test.each([
    'anna',
    'anna@',
    '@müller.example',
    'änna@example.com',
    'anna@müller',
    'anna@müller.example/x',
    'anna@müller.example#x',
    'anna@mü%40ller.example',
    'anna@mü ller.example',
    'anna@mü_ller.example',
    'anna@-müller-.example.',
    'anna@b@müller.example',
    `anna@${'ü'.repeat(70)}.example`,
    `anna@${'ü'.repeat(40)}.${'ö'.repeat(40)}.${'ä'.repeat(20)}.example`,
  ])('%j is none', (text) => expect(z.safeParse(Email, text).success).toBe(false));
});

test.each([
  ['2026-03-01T08:30:00.000Z', true],
  [new Date(0).toISOString(), true],
  ['2026-03-01T08:30:00Z', false],
  ['2026-03-01T08:30:00.000+01:00', false],
  ['2026-02-30T08:30:00.000Z', false],
])('the time %s: %s', (text, expected) => expect(z.safeParse(Timestamp, text).success).toBe(expected));

test.each([
  ['de', true],
  ['en-GB', true],
  ['zh-Hans-CN', true],
  ['', false],
  ['de_DE', false],
  ['d', false],
  [`de-${'a'.repeat(9)}`, false],
  [`de${'-aaaaaaaa'.repeat(4)}`, false],
])('the locale %j: %s', (text, expected) => expect(z.safeParse(Locale, text).success).toBe(expected));

describe('the query of a collection', () => {
  test.each([
    ['1', 1],
    ['20', 20],
    ['100', maxLimit],
    ['007', 7],
  ])('limit=%s', (text, limit) => expect(z.parse(PageQuery, { limit: text })).toEqual({ limit }));

  test.each(['0', '101', '', ' 1', '1.5', '1e2', '-1', '+1', '0x10', '٣', '99999999999999999999'])(
    'limit=%j is refused',
    (limit) => expect(z.safeParse(PageQuery, { limit }).success).toBe(false),
  );

  test('both parameters may be absent, and a cursor may look as it likes: opening it tells', () => {
    expect(z.parse(PageQuery, {})).toEqual({});
    expect(z.parse(PageQuery, { cursor: 'x' })).toEqual({ cursor: 'x' });
    expect(z.parse(PageQuery, { cursor: '' })).toEqual({ cursor: '' });
  });
});

describe('deployments', () => {
  test.each(['dev', 'staging', 'prod'])('the environment %s has its own name', (name) => {
    expect(environmentNamed(environments, name)).toBe(name);
  });

  test.each(['production', 'DEV', '', undefined, null, 1])('%j is an error that names the three', (name) => {
    expect(() => environmentNamed(environments, name)).toThrow(/dev, staging, prod/);
  });

  test("the base paths are the specification's", () => {
    expect(deployments.sleepcare.basePath).toBe('/de/v1');
    expect(deployments.medinfo.basePath).toBe('/v2');
    for (const { stage, prefix, basePath } of Object.values(deployments)) expect(basePath).toBe(`/${stage}${prefix}`);
  });
});

test('what a function uses has one environment variable', () => {
  expect(queueVariable(PushQueue)).toBe('PUSH_QUEUE_URL');
  expect(bucketVariable(AgreementContents)).toBe('AGREEMENT_CONTENTS_BUCKET');
  expect(signingKeyVariable(LedgerKey)).toBe('LEDGER_KEY_ARN');
  expect(earlierKeysVariable(LedgerKey)).toBe('LEDGER_KEY_EARLIER_ARNS');
  expect(tableVariable(ConsentRecords)).toBe('CONSENT_RECORDS_TABLE');
  expect(tableVariable(Agreements)).toBe('AGREEMENTS_TABLE');
  expect(new Set(tables.map(({ name }) => name.toUpperCase())).size).toBe(tables.length);
});

test.each(['tables', 'queues', 'topics', 'buckets', 'signingKeys'] as const)(
  'what a domain declares of %s is named as its constant, and no other domain declares it',
  (kind) => {
    const declared = Object.values(domains).flatMap((domain) => Object.entries(domain[kind] ?? {}));
    expect(declared.map(([constant]) => constant)).toEqual(declared.map(([, { name }]) => name));
    expect(declared).not.toEqual([]);
    expect(new Set(declared.map(([constant]) => constant.toUpperCase())).size).toBe(declared.length);
  },
);

describe('the error catalogue', () => {
  test.each(errors.map(({ error }) => error))('$code is upper snake case and has one sentence', (error) => {
    const { code, message } = error;
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(message).toMatch(/^[A-Z][^\n]*\.$/);
    expect(errorBody(error)).toEqual({ code, message, detail: null });
  });

  test('an error that can be retried has a time', () => {
    const waiting = errors.filter(({ error }) => 'Retry-After' in errorHeaders(error));
    expect(waiting.map(({ error }) => error.code)).toEqual([
      'ACCESS_CODE_LOCKED',
      'RATE_LIMITED',
      'SIGN_IN_LOCKED',
      'SITE_CODE_LOCKED',
      'TOO_MANY_ERASURE_REQUESTS',
      'TOO_MANY_EXPORTS',
      'TOO_MANY_GROUP_MESSAGES',
      'UNAVAILABLE',
    ]);
  });

  test('the statuses are those of the contract', () => {
    const byStatus = Map.groupBy(errors, ({ error }) => error.status);
    const expected = [400, 401, 403, 404, 409, 413, 429, 500, 503, 504];
    expect(expected.filter((status) => !byStatus.has(status as 400))).toEqual([]);
  });
});
