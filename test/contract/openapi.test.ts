import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { committedDocument, lint } from '../../bin/generate.ts';
import { errors, operations } from '../../functions/domains.ts';
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

function codesIn(schema: unknown): string[] {
  const { oneOf, properties } = Object(resolved(schema, document));
  return oneOf ? oneOf.flatMap(codesIn) : properties.code.enum;
}

test('the linter has nothing to say', async () => {
  expect(await lint(document)).toEqual([]);
});

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
      ...Object.keys({ ...route.query?.shape, ...(route.items && { limit: 0, cursor: 0 }) }).map(
        (name) => `query ${name}`,
      ),
      // The bearer is a security scheme in OpenAPI, never a parameter.
      ...Object.keys(route.headers?.shape ?? {}).flatMap((name) => (name === 'authorization' ? [] : `header ${name}`)),
    ];
    const found = (operation.parameters ?? []).map((one: { in: string; name: string }) =>
      one.in === 'header' ? `header ${one.name.toLowerCase()}` : `${one.in} ${one.name}`,
    );
    expect(found).toEqual(expected);
  });

  test('has each error that a caller can meet, under its status', () => {
    const found = Object.keys(operation.responses)
      .filter((status) => Number(status) >= 400)
      .flatMap((status) => {
        const keys = [
          'paths',
          route.path,
          route.method.toLowerCase(),
          'responses',
          status,
          'content',
          'application/json',
        ];
        return codesIn(at(document, ...keys, 'schema')).map((code) => `${status} ${code}`);
      });
    expect(found.toSorted()).toEqual(
      errorsOf(route)
        .map(({ code, status }) => `${status} ${code}`)
        .toSorted(),
    );
  });
});

describe('what a developer needs to know', () => {
  const shown = (options: Partial<DocumentOptions>, ...routes: [string, Route][]) =>
    openApiDocument({ operations: routes.map(([id, route]) => ({ id, domain: 'things', route })), errors, ...options });

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

  test('the document of one application or environment has its operations alone', () => {
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
    expect(at(found, 'components', 'schemas', 'ListThingsPage', 'properties', 'items')).toEqual({
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
    expect(limit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 50 });
  });

  test('a collection that says more of the whole has metadata of its own', () => {
    const found = shown({}, ['countThings', countThings]);
    expect(at(found, 'components', 'schemas', 'CountThingsPage', 'properties', 'metadata')).toMatchObject({
      type: 'object',
      properties: { count: { type: 'integer' }, unseen: { type: 'integer' } },
      required: ['limit', 'count', 'hasMore', 'nextCursor', 'unseen'],
    });
  });

  test('details have the shape of their code', () => {
    const detail = (name: string) => at(document, 'components', 'schemas', name, 'properties', 'detail');
    expect(detail('AgreementRequiredError')).toEqual({ type: 'null' });
    expect(detail('AgreementVersionNotActiveError')).toMatchObject({
      anyOf: [{ required: ['agreementId', 'activeVersionId'] }, { type: 'null' }],
    });
    expect(detail('ValidationFailedError')).toMatchObject({
      anyOf: [
        { properties: { issues: { items: { properties: { in: { enum: ['path', 'query', 'body', 'header'] } } } } } },
        {},
      ],
    });
  });

  test('what is to be tried again has Retry-After', () => {
    for (const name of ['RateLimitedError', 'UnavailableError']) {
      expect(at(document, 'components', 'responses', name, 'headers')).toHaveProperty('Retry-After');
    }
    expect(at(document, 'components', 'responses', 'InternalError', 'headers')).not.toHaveProperty('Retry-After');
  });

  test('a schema that names itself keeps its name wherever it is used', () => {
    const Named = z.object({ name: z.string() }).register(z.globalRegistry, { id: 'Thing', description: 'A thing.' });
    const found = shown(
      {},
      ['one', { ...minimal, response: z.object({ thing: Named }) }],
      ['two', { ...minimal, path: '/two', response: Named }],
    );
    expect(at(found.components, 'schemas', 'Thing')).toMatchObject({ type: 'object', description: 'A thing.' });
    expect(found.components.schemas?.OneResponse).toMatchObject({
      properties: { thing: { $ref: '#/components/schemas/Thing' } },
    });
    expect(JSON.stringify(found)).not.toContain('$defs');
  });

  test('also where it is only ever a part of another', () => {
    const Part = z.object({ name: z.string() }).register(z.globalRegistry, { id: 'Part' });
    const found = shown({}, ['one', { ...minimal, response: z.object({ part: Part, parts: z.array(Part) }) }]);
    expect(found.components.schemas?.OneResponse).toMatchObject({
      properties: {
        part: { $ref: '#/components/schemas/Part' },
        parts: { items: { $ref: '#/components/schemas/Part' } },
      },
    });
    expect(found.components.schemas?.Part).toEqual({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    });
    expect(JSON.stringify(found)).not.toContain('__shared');
  });

  test('two operations of one method and path are an error', () => {
    expect(() => shown({}, ['one', minimal], ['two', minimal])).toThrow('GET /things/one is declared twice');
  });
});
