import type * as z from 'zod/mini';
import { envelope } from './collection.ts';
import { type Application, type Environment, environments } from './deployments.ts';
import type { ErrorCode } from './errors.ts';
import { notFoundCode } from './fields.ts';
import { meteredPermissions, type Permission } from './permissions.ts';
import type { Uses } from './tables.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type ObjectSchema = z.ZodMiniObject;

type Common = {
  readonly method: Method;
  /** Below the base address, parameters in braces: `/users/agreements/{agreementId}/consent`. */
  readonly path: `/${string}`;
  /** One line for the reference and the README's table. */
  readonly summary: string;
  readonly description?: string;
  readonly applications: readonly Application[];
  /** Absent: every environment. What an environment lacks is not in its template. */
  readonly environments?: readonly Environment[];
  /** There is no default: who may call a route is decided where it is declared. */
  readonly auth: 'public' | Permission;
  readonly uses?: Uses;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  /** Declared request headers, in lower case. */
  readonly headers?: ObjectSchema;
  /** Absent: a body is ignored. Wrap it in `z.optional` where none need be sent. */
  readonly body?: ObjectSchema | z.ZodMiniOptional<ObjectSchema>;
  readonly status?: 200 | 201;
  /** The answer carries an `ETag`, which its handler gives; `If-None-Match` of a GET is answered with 304. */
  readonly etag?: true;
  /** Absent: `no-store`. */
  readonly cacheControl?: string;
  /** The codes that the handler can return, beyond those that follow from the declaration. */
  readonly errors: readonly ErrorCode[];
};

/** A single object is answered bare; a collection as `items` and `metadata`. */
type Single = { readonly response: ObjectSchema; readonly items?: never; readonly defaultLimit?: never };
type Collection = {
  readonly items: ObjectSchema;
  readonly response?: never;
  /** The page size when the caller names none; 20 unless given. */
  readonly defaultLimit?: number;
};

export type Route = Common & (Single | Collection);

/**
 * Declares a route. Its method, Lambda function, grants, environment variables, validation, OpenAPI operation and typed
 * client follow from this one object.
 *
 * @throws an Error where the declaration contradicts itself; the tests load every declaration.
 */
export function route<const R extends Route>(declaration: R): R {
  const where = `${declaration.method} ${declaration.path}`;
  const inPath = pathParameters(declaration.path).sort().join();
  const shape = declaration.params?.shape ?? {};
  if (inPath !== Object.keys(shape).sort().join()) throw new Error(`${where}: params are not those of the path`);
  for (const schema of Object.values(shape)) {
    const code = notFoundCode.get(schema)?.code;
    if (code && !declaration.errors.includes(code)) throw new Error(`${where}: ${code} is not among its errors`);
  }
  return declaration;
}

/** The names in braces, in the path's order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

export function isCollection<R extends Route>(declaration: R): declaration is Extract<R, Collection> {
  return declaration.items !== undefined;
}

export function existsIn(declaration: Route, environment: Environment, application: Application): boolean {
  return (
    declaration.applications.includes(application) && (declaration.environments ?? environments).includes(environment)
  );
}

/** A route for tools and integrations, under the usage plan. */
export function isMetered(declaration: Route): boolean {
  return declaration.auth !== 'public' && meteredPermissions.includes(declaration.auth);
}

/** Every code that a caller of the route can meet, the gateway's included, each once. */
export function errorsOf(declaration: Route): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...(declaration.params || declaration.query || declaration.headers || declaration.body || declaration.items
        ? (['VALIDATION_FAILED'] as const)
        : []),
      ...(declaration.body ? (['MALFORMED_JSON', 'UNSUPPORTED_CONTENT_TYPE', 'PAYLOAD_TOO_LARGE'] as const) : []),
      ...(declaration.items ? (['INVALID_CURSOR'] as const) : []),
      ...(declaration.auth === 'public' ? [] : (['UNAUTHENTICATED', 'FORBIDDEN'] as const)),
      ...declaration.errors,
      'RATE_LIMITED',
      'INTERNAL',
      'UNAVAILABLE',
      'TIMEOUT',
    ]),
  ];
}

/** The body of a success: the object itself, or a collection's envelope. */
export function responseSchema(declaration: Route): z.ZodMiniObject {
  return declaration.items ? envelope(declaration.items) : declaration.response;
}
