import * as z from 'zod/mini';
import { defaultLimit, PageQuery } from './collection.ts';
import type { Operation } from './declarations.ts';
import type { DocumentedError } from './errors.ts';
import { notFoundErrors } from './fields.ts';
import {
  codesByStatus,
  errorResponse,
  errorResponses,
  errorSchemas,
  headerComponents,
  headerReferences,
} from './openapi-errors.ts';
import { capital, pageSchemas } from './openapi-pages.ts';
import type { Product } from './product.ts';
import type { Example, Reference } from './reference.ts';
import type { Application, Environment } from './register.ts';
import { authOf, errorsOf, existsIn, type Route } from './route.ts';
import type { Json } from './schema-forms.ts';
import { type Model, type SchemaBook, schemaBook } from './schemas.ts';

/** The OpenAPI 3.1 document of the declarations. */

export type DocumentOptions = {
  readonly product: Product;
  readonly operations: readonly Omit<Operation, 'file'>[];
  /** All answers of the routes, in the document's order. */
  readonly errors: readonly DocumentedError[];
  /** The schemas that have their own names. */
  readonly models?: readonly Model[];
  /** By domain. */
  readonly references?: Readonly<Record<string, Reference>>;
  /** Only what this environment has. Absent: everything, and `x-environments` names the environments. */
  readonly environment?: Environment;
  /** Only what this application serves; its developers generate a client from it. */
  readonly application?: Application;
  readonly version?: string;
};

export type OpenApiDocument = {
  openapi: string;
  info: Json;
  servers: Json[];
  security: Json[];
  tags: Json[];
  paths: Record<string, Record<string, Json>>;
  components: Record<string, Record<string, unknown>>;
};

/** @throws an Error where two operations have the same method and path: one document cannot hold both. */
export function openApiDocument(options: DocumentOptions): OpenApiDocument {
  const { product, operations, errors, models = [], references = {}, environment, application, version } = options;
  const served = application ? [application] : (Object.keys(product.applications) as Application[]);
  const environments = Object.keys(product.environments) as Environment[];
  const where = environment ? [environment] : environments;
  const pages = pageSchemas(models);
  const shown = operations
    .filter(({ route }) => served.some((name) => where.some((place) => existsIn(route, place, name))))
    .map((operation) => ({ ...operation, answer: pages.answerOf(operation) }));
  const domains = [...new Set(shown.map(({ domain }) => domain))];
  const book = schemaBook(
    shown.flatMap(({ id, route, answer }) => [
      { name: `${capital(id)}Request`, schema: route.body, direction: 'input' },
      { name: `${capital(id)}Response`, schema: answer, direction: 'output' },
    ]),
    [...models, ...pages.models()],
    domains.flatMap((domain) => references[domain]?.schemas ?? []),
  );

  const paths: OpenApiDocument['paths'] = {};
  for (const operation of shown) {
    const { method, path } = operation.route;
    paths[path] ??= {};
    if (paths[path][method.toLowerCase()]) throw new Error(`${method} ${path} is declared twice`);
    const example = references[operation.domain]?.examples[operation.id];
    paths[path][method.toLowerCase()] = operationObject({ ...operation, example }, { product, book, errors, served });
  }
  return {
    openapi: '3.1.1',
    info: {
      title: application ? `${product.title}: ${application}` : product.title,
      version: version ?? '0.0.0',
      description:
        `${product.description} \`x-applications\` ` +
        'and `x-environments` say where an operation exists, `x-permission` which permission its caller needs, ' +
        '`x-error-codes` which codes it answers. A time is sent as any RFC 3339 instant, and ' +
        'answered in UTC with milliseconds. The examples are those of a freshly seeded local stage.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: served.flatMap((each) => serversOf(product, each)),
    security: [{ accessToken: [] }],
    tags: domains.map((name) => ({ name, ...(references[name] && { description: references[name].about }) })),
    paths,
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      ...onlyReferenced(paths, {
        headers: headerComponents,
        responses: errorResponses(errors),
        schemas: { ...book.components, ...errorSchemas },
      }),
    },
  };
}

type Shown = DocumentOptions['operations'][number] & { answer: z.ZodMiniObject; example?: Example | undefined };

type Document = {
  readonly product: Product;
  readonly book: SchemaBook;
  readonly errors: readonly DocumentedError[];
  readonly served: readonly Application[];
};

function operationObject(operation: Shown, document: Document): Json {
  const { product, book, served } = document;
  const { id, domain, route, dataSubject, example } = operation;
  const by = served.filter((application) => route.applications.includes(application));
  const parameters = parametersOf(route, book, example);
  const codes = codesByStatus(errorsAnsweredBy(operation, document));
  return {
    operationId: id,
    tags: [domain],
    summary: route.summary,
    description: [route.description ?? [], dataSubject?.lines ?? [], errorsLine(codes)].flat().join('\n\n'),
    // If not every application serves it, the document's own list of servers would promise too much.
    ...(by.length < served.length && { servers: by.flatMap((each) => serversOf(product, each)) }),
    ...(route.auth === 'public' && !readsBearer(route) && { security: [] }),
    'x-applications': by,
    'x-environments': route.environments ?? Object.keys(product.environments),
    'x-permission': authOf(route),
    'x-error-codes': codes,
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: !acceptsNothing(route.body),
        content: json(book.ref(route.body), example?.body, route.otherBodies),
      },
    }),
    responses: responsesOf(operation, document),
  };
}

const pageParameters: Readonly<Record<string, { description: string; schema: (route: Route) => Json }>> = {
  limit: {
    description: 'The size of a page.',
    schema: (route) => ({ default: route.defaultLimit ?? defaultLimit }),
  },
  cursor: {
    description: 'The `nextCursor` of a page; the answer is the page after it.',
    schema: () => ({ minLength: 1 }),
  },
};

function parametersOf(route: Route, book: SchemaBook, example: Example | undefined): Json[] {
  const of = (
    place: string,
    shape: Record<string, z.core.$ZodType> = {},
    given: Readonly<Record<string, unknown>> = {},
  ) =>
    Object.entries(shape)
      .filter(([name]) => name !== bearerHeader && !(name in (route.aliases ?? {})))
      .map(([name, schema]) => {
        const code = notFoundErrors.get(schema)?.code;
        return {
          name: place === 'header' ? headerName(name) : name,
          in: place,
          required: place === 'path' || !acceptsNothing(schema),
          ...(code && { description: `Anything else is answered with 404 \`${code}\`.` }),
          ...(place !== 'path' && route.tolerant && { description: 'Repeated or unreadable, it counts as not given.' }),
          schema: book.inline(schema),
          ...(given[name] !== undefined && { example: given[name] }),
        };
      });
  const paging = of('query', route.items && PageQuery.shape, example?.query).map((parameter) => ({
    ...parameter,
    description: pageParameters[parameter.name]?.description,
    schema: { ...parameter.schema, ...pageParameters[parameter.name]?.schema(route) },
  }));
  const { params, query, headers } = route;
  return [
    ...of('path', params?.shape, example?.params),
    ...of('query', query?.shape, example?.query),
    ...paging,
    ...of('header', headers?.shape, example?.headers),
  ];
}

function errorsAnsweredBy({ route }: Shown, { errors }: Document): DocumentedError[] {
  const possible = errorsOf(route);
  return errors.filter(({ error }) => possible.includes(error));
}

function errorsLine(codes: Readonly<Record<string, readonly string[]>>): string {
  const each = Object.entries(codes).map(
    ([status, those]) => `${status} ${those.map((code) => `\`${code}\``).join(', ')}`,
  );
  return `Errors: ${each.join('; ')}.`;
}

function responsesOf(operation: Shown, document: Document): Json {
  const { route, answer, example } = operation;
  const byStatus = Map.groupBy(errorsAnsweredBy(operation, document), ({ error }) => error.status);
  const success = {
    description: route.items ? 'A page of the collection.' : 'Success.',
    headers: headerReferences(['X-Request-Id', 'Cache-Control', ...(route.etag ? (['ETag'] as const) : [])]),
    content: json(document.book.ref(answer), example?.answer, route.alternatives),
  };
  return {
    [String(route.status ?? 200)]: success,
    ...(route.etag &&
      route.method === 'GET' && { '304': { description: 'The caller already has this representation.' } }),
    ...Object.fromEntries([...byStatus].map(([status, those]) => [String(status), errorResponse(those)])),
  };
}

function json(schema: Json, example?: unknown, others: readonly string[] = []): Json {
  const other = Object.fromEntries(
    others.map((type) => [type, { schema: { type: type.endsWith('json') ? 'object' : 'string' } }]),
  );
  return { 'application/json': { schema, ...(example !== undefined && { example }) }, ...other };
}

/** OpenAPI describes this header as a security scheme, never as a parameter. */
const bearerHeader = 'authorization';

function readsBearer({ headers }: Route): boolean {
  return headers !== undefined && bearerHeader in headers.shape;
}

function acceptsNothing(schema: z.core.$ZodType): boolean {
  return z.safeParse(schema, undefined).success;
}

/** A deployed server, with a different host in each environment, and the one on a developer's machine. */
function serversOf({ applications }: Product, application: Application): Json[] {
  const basePath = applications[application]?.basePath ?? '';
  return [
    {
      url: `https://{host}${basePath}`,
      description: `${application}, deployed`,
      variables: {
        host: {
          default: 'api-id.execute-api.eu-central-1.amazonaws.com',
          description: "The environment's own host: an output of its stack, or its custom domain.",
        },
      },
    },
    {
      url: `http://localhost:3000${basePath}`,
      description: `${application}, on one machine (npm start)`,
    },
  ];
}

/** Removes components that nothing refers to, and then those that only a removed one referred to. */
function onlyReferenced(paths: Json, components: OpenApiDocument['components']): OpenApiDocument['components'] {
  const reached = new Set<string>();
  const follow = (value: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (reached.has(`${kind}/${name}`)) continue;
      reached.add(`${kind}/${name}`);
      follow(components[kind]?.[name] ?? null);
    }
  };
  follow(paths);
  const kept = Object.entries(components).map(([kind, named]): [string, Record<string, unknown>] => [
    kind,
    Object.fromEntries(Object.entries(named).filter(([name]) => reached.has(`${kind}/${name}`))),
  ]);
  return Object.fromEntries(kept);
}

/** `accept-language` → `Accept-Language`. */
function headerName(name: string): string {
  return name.split('-').map(capital).join('-');
}
