import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AgreementNotFound } from '../../functions/agreements/errors.ts';
import { readOwnConsents } from '../../functions/agreements/permissions.ts';
import { readAudit } from '../../functions/audit/permissions.ts';
import { RequiredAgreement } from '../../functions/consents/errors.ts';
import { readConsents } from '../../functions/consents/permissions.ts';
import { testPushes } from '../../functions/push/permissions.ts';
import { useTimeMachine } from '../../functions/time-machine/permissions.ts';
import { Metadata, metadataNames } from '../../lib/contract/collection.ts';
import { Internal } from '../../lib/contract/common-errors.ts';
import { pathId } from '../../lib/contract/fields.ts';
import {
  errorsOf,
  existsIn,
  hasCursors,
  isMetered,
  pathParameters,
  type Route,
  responseSchema,
  route,
} from '../../lib/contract/route.ts';

const minimal = {
  method: 'GET',
  path: '/things',
  summary: 'Reads a thing',
  applications: ['sleepcare'],
  auth: 'public',
  response: z.object({ name: z.string() }),
  errors: [],
} as const satisfies Route;

describe('a declaration that contradicts itself is refused', () => {
  test('a path parameter without a schema', () => {
    expect(() => route({ ...minimal, path: '/things/{thingId}' })).toThrow('GET /things/{thingId}: params are not');
  });

  test('a schema without a path parameter', () => {
    expect(() => route({ ...minimal, params: z.object({ thingId: z.string() }) })).toThrow('params are not');
  });

  test('a tolerant route that requires something', () => {
    const tolerant = { ...minimal, tolerant: true } as const;
    const headers = z.object({ 'x-name': z.string() });
    expect(() => route({ ...tolerant, query: z.object({ name: z.string() }) })).toThrow('name is required');
    expect(() => route({ ...tolerant, headers })).toThrow('x-name is required');
    expect(route({ ...tolerant, query: z.object({ name: z.optional(z.string()) }) }).tolerant).toBe(true);
  });

  test('metadata that every collection has', () => {
    const { response: items, ...collection } = minimal;
    const listed = { ...collection, cursor: 'name', items } as const;
    expect(() => route({ ...listed, metadata: z.object({ count: z.int() }) })).toThrow('its own metadata.count');
    const metadata = z.object({ unseen: z.int() });
    const page = { limit: 20, count: 0, hasMore: false, nextCursor: null };
    const schema = responseSchema(route({ ...listed, metadata }));
    expect(schema.safeParse({ items: [], metadata: { ...page, unseen: 7 } }).success).toBe(true);
    expect(schema.safeParse({ items: [], metadata: page }).success).toBe(false);
  });

  test('haste where somebody signs in, as their account is asked for in any case', () => {
    expect(() => route({ ...minimal, auth: readAudit, hasty: true })).toThrow('waits for the account');
    expect(route({ ...minimal, hasty: true }).hasty).toBe(true);
  });

  test('and all of its values are kept', () => {
    expect(metadataNames).toEqual(Object.keys(Metadata.shape));
  });

  test('a path id whose 404 is not among the errors', () => {
    const params = z.object({ thingId: pathId(AgreementNotFound) });
    expect(() => route({ ...minimal, path: '/things/{thingId}', params })).toThrow('AGREEMENT_NOT_FOUND is not among');
    const errors = [AgreementNotFound];
    expect(route({ ...minimal, path: '/things/{thingId}', params, errors }).errors).toEqual(errors);
  });
});

test('pathParameters has the names in braces, in order', () => {
  expect(pathParameters('/a/{one}/b/{two}')).toEqual(['one', 'two']);
  expect(pathParameters('/a')).toEqual([]);
});

describe('errorsOf adds the codes that follow from the declaration', () => {
  const always = ['RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE', 'TIMEOUT'];
  const object = z.object({ name: z.string() });
  const cases: [string, Route, string[]][] = [
    ['nothing declared', minimal, []],
    ['a permission', { ...minimal, auth: readAudit }, ['UNAUTHENTICATED', 'FORBIDDEN', 'ACCOUNT_CLOSED']],
    [
      'an answer to closed accounts',
      { ...minimal, auth: readAudit, closedAccount: 'read' },
      ['UNAUTHENTICATED', 'FORBIDDEN'],
    ],
    ['path parameters', { ...minimal, path: '/{name}', params: object }, ['VALIDATION_FAILED']],
    ['a query', { ...minimal, query: object }, ['VALIDATION_FAILED']],
    ['headers', { ...minimal, headers: object }, ['VALIDATION_FAILED']],
    ['a tolerant query', { ...minimal, tolerant: true, query: object, headers: object }, []],
    ['a tolerant query and a path', { ...minimal, tolerant: true, params: object }, ['VALIDATION_FAILED']],
    [
      'a body',
      { ...minimal, body: z.optional(object) },
      ['VALIDATION_FAILED', 'MALFORMED_JSON', 'UNSUPPORTED_CONTENT_TYPE', 'PAYLOAD_TOO_LARGE'],
    ],
    [
      'a look that needs a consent',
      { ...minimal, dataSubject: { param: 'userId', relation: 'care', consent: 'data-sharing' } },
      ['CONSENT_REQUIRED'],
    ],
    ['a look that needs none', { ...minimal, dataSubject: { param: 'userId', relation: 'care' } }, []],
    [
      'items',
      { ...minimal, response: undefined, cursor: 'name', items: object },
      ['VALIDATION_FAILED', 'INVALID_CURSOR'],
    ],
    ['a page in its own form', { ...minimal, cursors: true }, ['INVALID_CURSOR']],
    ['its own codes', { ...minimal, errors: [RequiredAgreement, Internal] }, ['AGREEMENT_REQUIRED']],
  ];
  test.each(cases)('%s', (_, declaration, expected) => {
    expect(
      errorsOf(declaration)
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual([...expected, ...always].toSorted());
  });
});

test('existsIn asks for the application and the environment', () => {
  expect(existsIn(minimal, 'prod', 'sleepcare')).toBe(true);
  expect(existsIn(minimal, 'prod', 'medinfo')).toBe(false);
  expect(existsIn({ ...minimal, environments: ['dev'] }, 'dev', 'sleepcare')).toBe(true);
  expect(existsIn({ ...minimal, environments: ['dev'] }, 'prod', 'sleepcare')).toBe(false);
});

test('isMetered is true only for the permissions of tools and integrations', () => {
  expect(isMetered({ ...minimal, auth: testPushes })).toBe(true);
  expect(isMetered({ ...minimal, auth: useTimeMachine })).toBe(true);
  expect(isMetered({ ...minimal, auth: readConsents })).toBe(true);
  expect(isMetered({ ...minimal, auth: readOwnConsents })).toBe(false);
  expect(isMetered(minimal)).toBe(false);
});

test('responseSchema is the object itself, or a collection with its metadata', () => {
  expect(responseSchema(minimal)).toBe(minimal.response);
  expect(hasCursors(minimal)).toBe(false);
  const collection: Route = { ...minimal, response: undefined, cursor: 'name', items: minimal.response };
  expect(hasCursors(collection)).toBe(true);
  expect(hasCursors({ ...minimal, cursors: true })).toBe(true);
  const page = { items: [{ name: 'one' }], metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null } };
  expect(z.parse(responseSchema(collection), page)).toEqual(page);
  expect(z.safeParse(responseSchema(collection), { items: [] }).success).toBe(false);
});
