import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { committedDocument } from '../../bin/generate.ts';
import { errors, operations } from '../../functions/domains.ts';
import { product } from '../../functions/product.ts';
import { WantedLocale } from '../../lib/contract/fields.ts';
import { type DocumentOptions, openApiDocument } from '../../lib/contract/openapi.ts';
import { authOf, errorsOf, type Route } from '../../lib/contract/route.ts';
import { countThings, listThings, minimal, rename } from './must-not-compile/example.ts';

const document = committedDocument();

/** The value at a path of keys; undefined where there is none. References are followed. */
function at(from: object, ...keys: string[]): unknown {
  return keys.reduce<unknown>((value, key) => resolved(Object(value)[key], from), from);
}

function resolved(value: unknown, from: object): unknown {
  const reference = Object(value).$ref;
  return typeof reference === 'string' ? at(from, ...reference.slice(2).split('/')) : value;
}

test('the same declarations give the same document', () => {
  expect(JSON.stringify(committedDocument())).toBe(JSON.stringify(document));
});

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, { route, domain }) => {
  const operation = Object(at(document, 'paths', route.path, route.method.toLowerCase()));

  test('is named, tagged and described', () => {
    expect(operation).toMatchObject({ operationId: id, tags: [domain], summary: route.summary });
  });

  test('says who may call it, and where', () => {
    expect(operation['x-permission']).toBe(authOf(route));
    expect(operation['x-applications']).toEqual(
      ['sleepcare', 'medinfo'].filter((name) => route.applications.some((one) => one === name)),
    );
    const readsBearer = 'authorization' in (route.headers?.shape ?? {});
    expect(operation.security).toEqual(route.auth === 'public' && !readsBearer ? [] : undefined);
  });

  test('has each parameter', () => {
    const expected = [
      ...Object.keys(route.params?.shape ?? {}).map((name) => `path ${name}`),
      ...Object.keys({ ...route.query?.shape, ...(route.items && { limit: 0, cursor: 0 }) })
        .filter((name) => !(name in (route.aliases ?? {})))
        .map((name) => `query ${name}`),
      // The bearer is a security scheme in OpenAPI, never a parameter.
      ...Object.keys(route.headers?.shape ?? {}).flatMap((name) => (name === 'authorization' ? [] : `header ${name}`)),
    ];
    const found = (operation.parameters ?? []).map((one: { in: string; name: string }) =>
      one.in === 'header' ? `header ${one.name.toLowerCase()}` : `${one.in} ${one.name}`,
    );
    expect(found).toEqual(expected);
  });

  test('has each error that a caller can meet, under its status', () => {
    const expected = Object.entries(Object.groupBy(errorsOf(route), ({ status }) => status));
    const codes = operation['x-error-codes'];
    expect(Object.keys(codes)).toHaveLength(expected.length);
    for (const [status, those] of expected) {
      expect(codes[status].toSorted()).toEqual(those.map(({ code }) => code).toSorted());
      const answered = resolved(operation.responses[status], document);
      for (const { code } of those) {
        expect(at(Object(answered), 'description')).toContain(`\`${code}\``);
        expect(at(Object(answered), 'content', 'application/json', 'examples', code, 'value', 'code')).toBe(code);
        expect(operation.description).toContain(`\`${code}\``);
      }
      expect(Object(answered).content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
    }
    const refused = Object.keys(operation.responses).filter((status) => Number(status) >= 400);
    expect(refused).toEqual(Object.keys(codes));
  });
});

describe('what a developer needs to know', () => {
  const shown = (options: Partial<DocumentOptions>, ...routes: [string, Route][]) =>
    openApiDocument({
      product,
      operations: routes.map(([id, route]) => ({ id, domain: 'things', route })),
      errors,
      ...options,
    });

  test('the bearer token is asked for by default', () => {
    expect(document.security).toEqual([{ accessToken: [] }]);
    expect(document.components.securitySchemes?.accessToken).toMatchObject({ scheme: 'bearer', bearerFormat: 'JWT' });
  });

  test('the servers are both applications, deployed and on one machine', () => {
    expect(document.servers.map(({ url }) => url)).toEqual([
      'https://{host}/de/v1',
      'http://localhost:3000/de/v1',
      'https://{host}/v2',
      'http://localhost:3000/v2',
    ]);
  });

  test("an operation of one application has that one's servers", () => {
    const { paths } = shown({}, ['rename', rename]);
    const servers = at(paths, '/things/{thingId}/rename', 'post', 'servers');
    expect(servers).toEqual([
      expect.objectContaining({ url: 'https://{host}/de/v1' }),
      expect.objectContaining({ url: 'http://localhost:3000/de/v1' }),
    ]);
  });

  test('the document of one application or environment has only its operations', () => {
    const both: Route = { ...minimal, path: '/both', applications: ['sleepcare', 'medinfo'] };
    const test: Route = { ...minimal, path: '/dev/test', environments: ['dev'] };
    const routes: [string, Route][] = [
      ['rename', rename],
      ['both', both],
      ['test', test],
    ];
    expect(Object.keys(shown({ application: 'medinfo' }, ...routes).paths)).toEqual(['/both']);
    expect(Object.keys(shown({ environment: 'prod' }, ...routes).paths)).toEqual(['/things/{thingId}/rename', '/both']);
    expect(Object.keys(shown({ application: 'sleepcare', environment: 'dev' }, ...routes).paths)).toHaveLength(3);
    const { servers, paths } = shown({ application: 'sleepcare' }, ...routes);
    expect(servers).toHaveLength(2);
    expect(at(paths, '/both', 'get', 'servers')).toBeUndefined();
    expect(at(paths, '/dev/test', 'get', 'x-environments')).toEqual(['dev']);
  });

  test('a body is required unless it is optional', () => {
    const optional: Route = { ...rename, path: '/things/{thingId}/optional', body: z.optional(rename.body) };
    const { paths } = shown({}, ['rename', rename], ['optional', optional]);
    expect(at(paths, '/things/{thingId}/rename', 'post', 'requestBody', 'required')).toBe(true);
    expect(at(paths, '/things/{thingId}/optional', 'post', 'requestBody', 'required')).toBe(false);
  });

  test('a collection has a page with its items and metadata, and its own default limit', () => {
    const found = shown({}, ['listThings', { ...listThings, defaultLimit: 50 }]);
    expect(at(found, 'components', 'schemas', 'ListThingsItemPage', 'properties', 'items')).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/ListThingsItem' },
    });
    expect(at(found, 'components', 'schemas', 'Metadata', 'required')).toEqual([
      'limit',
      'count',
      'hasMore',
      'nextCursor',
    ]);
    const [limit] = Object(at(found, 'paths', '/things', 'get', 'parameters'));
    expect(limit).toMatchObject({ name: 'limit', required: false });
    expect(limit.schema).toEqual({ type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 50 });
  });

  test('a collection with more figures has its own metadata', () => {
    const found = shown({}, ['countThings', countThings]);
    expect(at(found, 'components', 'schemas', 'CountThingsItemPage', 'properties', 'metadata')).toMatchObject({
      type: 'object',
      properties: { count: { type: 'integer' }, unseen: { type: 'integer' } },
      required: ['limit', 'count', 'hasMore', 'nextCursor', 'unseen'],
    });
  });

  test('all errors have one schema, whose detail is an object or null', () => {
    expect(at(document, 'components', 'schemas', 'Error')).toMatchObject({
      required: ['code', 'message', 'detail'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, detail: { type: ['object', 'null'] } },
    });
    expect(Object.keys(document.components.schemas ?? {}).filter((name) => name.endsWith('Error'))).toEqual(['Error']);
  });

  test('an error that can be retried has Retry-After', () => {
    for (const name of ['RateLimitedError', 'UnavailableError']) {
      expect(at(document, 'components', 'responses', name, 'headers')).toHaveProperty('Retry-After');
    }
    expect(at(document, 'components', 'responses', 'InternalError', 'headers')).not.toHaveProperty('Retry-After');
  });

  test('a model has the same name wherever it is used, and exists once', () => {
    const Thing = z.object({ name: z.string() });
    const found = shown(
      { models: [{ name: 'Thing', schema: Thing }] },
      ['one', { ...minimal, response: z.object({ thing: Thing, things: z.array(Thing) }) }],
      ['two', { ...minimal, path: '/two', response: Thing }],
      ['three', { ...listThings, path: '/three', items: Thing }],
      ['four', { ...listThings, path: '/four', items: Thing }],
    );
    expect(Object.keys(found.components.schemas ?? {}).filter((name) => /Thing|One|Two|Three|Four/.test(name))).toEqual(
      ['OneResponse', 'Thing', 'ThingPage'],
    );
    expect(at(found.components, 'schemas', 'Thing')).toEqual({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    });
    expect(found.components.schemas?.OneResponse).toMatchObject({
      properties: {
        thing: { $ref: '#/components/schemas/Thing' },
        things: { items: { $ref: '#/components/schemas/Thing' } },
      },
    });
    expect(JSON.stringify(found)).not.toMatch(/\$defs|__shared/);
  });

  test('two models of one name are an error', () => {
    const models = [1, 2].map(() => ({ name: 'Thing', schema: z.object({}) }));
    expect(() => shown({ models }, ['one', minimal])).toThrow('two schemas are named Thing');
  });

  test('an enumeration is open in an answer and closed in a request', () => {
    const kind = z.enum(['a', 'b']);
    const found = shown({}, [
      'one',
      { ...minimal, method: 'POST', body: z.object({ kind }), response: z.object({ kind }) },
    ]);
    expect(at(found, 'components', 'schemas', 'OneRequest', 'properties', 'kind')).toEqual({
      type: 'string',
      enum: ['a', 'b'],
    });
    expect(at(found, 'components', 'schemas', 'OneResponse', 'properties', 'kind')).toEqual({
      type: 'string',
      description: 'Known values: `a`, `b`; more may come.',
      'x-known-values': ['a', 'b'],
    });
  });

  test('an enumeration that is sent and answered under one name is an error', () => {
    const Kind = z.object({ kind: z.enum(['a', 'b']) });
    const one: Route = { ...minimal, method: 'POST', body: Kind, response: Kind };
    expect(() => shown({}, ['one', one])).toThrow('two schemas are needed');
  });

  test('a union of kinds is one flat object', () => {
    const body = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), text: z.string(), count: z.optional(z.int()) }),
      z.object({ kind: z.literal('b'), other: z.boolean() }),
    ]);
    const found = shown({}, ['one', { ...minimal, method: 'POST', body }]);
    expect(at(found, 'components', 'schemas', 'OneRequest')).toEqual({
      type: 'object',
      description: '`a` needs `text`; `b` needs `other`. What another `kind` needs is not looked at.',
      properties: {
        kind: { type: 'string', enum: ['a', 'b'] },
        text: { type: 'string' },
        count: { type: 'integer', format: 'int64' },
        other: { type: 'boolean' },
      },
      required: ['kind'],
    });
  });

  test('the document requires the same as the server: no empty locale, user name or cursor, no version without a language', () => {
    const property = (schema: string, name: string) =>
      at(document, 'components', 'schemas', schema, 'properties', name);
    for (const schema of ['AgreeRequest', 'RegisterDeviceRequest']) {
      expect(property(schema, 'locale')).toMatchObject({ pattern: expect.stringMatching(/^\^\[A-Za-z\]\{2,8\}/) });
    }
    // There "" takes the locale back.
    expect(property('UpdateProfileRequest', 'locale')).toMatchObject({
      pattern: expect.stringMatching(/^\^\$\|\^\[A-Za-z\]\{2,8\}/),
    });
    expect(property('IssueTokensRequest', 'username')).toMatchObject({ pattern: '^\\S+$' });
    expect(property('NewAgreementVersion', 'locales')).toMatchObject({ minProperties: 1, maxProperties: 50 });
    const parameters = at(document, 'paths', '/users/agreements', 'get', 'parameters');
    expect(parameters).toContainEqual(
      expect.objectContaining({ name: 'cursor', schema: { type: 'string', minLength: 1 } }),
    );
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  test('the version check documents no other names of its parameters', () => {
    const parameters = Object(at(document, 'paths', '/mobile/app-version/check', 'get', 'parameters'));
    const names = parameters.map(({ name }: { name: string }) => name);
    expect(names).toContain('appVersion');
    expect(names).not.toEqual(expect.arrayContaining(['version']));
  });

  test('each group is described, and models have their names from the code', () => {
    expect(document.tags.filter(({ description }) => !description)).toEqual([]);
    expect(Object.keys(document.components.schemas ?? {})).toEqual(
      expect.arrayContaining(['Device', 'ConsentRecord', 'AgreementItem', 'Message', 'AgreementVersion']),
    );
  });

  test('the limits of a text are stated: not empty, not blank', () => {
    const text = z.string().check(
      z.overwrite((given) => given.trim()),
      z.minLength(1),
    );
    const name = z.string().check(z.refine((given) => given !== ''));
    const found = shown({}, [
      'one',
      { ...minimal, method: 'POST', body: z.object({ text, name, locale: WantedLocale }) },
    ]);
    expect(at(found, 'components', 'schemas', 'OneRequest', 'properties')).toMatchObject({
      text: { minLength: 1, pattern: '\\S' },
      name: { minLength: 1 },
      locale: { pattern: '^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$' },
    });
  });

  test('two operations of one method and path are an error', () => {
    expect(() => shown({}, ['one', minimal], ['two', minimal])).toThrow('GET /things/one is declared twice');
  });
});
