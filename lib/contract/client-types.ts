import type * as z from 'zod/mini';
import type { Metadata } from './collection.ts';
import type * as common from './common-errors.ts';
import type { DeclaredError, DetailOf } from './errors.ts';
import type { Route } from './route.ts';

/** What the typed client sends and gets, derived from a route's declaration. */

type Schema = z.core.$ZodType;
type Has<K extends string> = { readonly [N in K]: Schema };
type Nothing = Record<never, never>;

/** `never` where the route does not declare this part. */
type Declared<R, K extends string> = R extends { readonly [N in K]: infer S extends Schema } ? z.input<S> : never;

/** Numbers in a query are text on the wire; the caller uses numbers. */
type Paging = { readonly limit?: number | string; readonly cursor?: string };
type Query<R> =
  R extends Has<'items'> ? (R extends Has<'query'> ? Declared<R, 'query'> : unknown) & Paging : Declared<R, 'query'>;

/** Optional where nothing in it is required. */
type Field<K extends string, T> = [T] extends [never]
  ? unknown
  : [undefined] extends [T]
    ? { readonly [N in K]?: T }
    : Nothing extends T
      ? { readonly [N in K]?: T }
      : { readonly [N in K]: T };

export type RequestOf<R extends Route> = Field<'params', Declared<R, 'params'>> &
  Field<'query', Query<R>> &
  Field<'headers', Declared<R, 'headers'>> &
  Field<'body', Declared<R, 'body'>>;

type ArgumentsOf<R extends Route> =
  unknown extends RequestOf<R> ? [] : Nothing extends RequestOf<R> ? [request?: RequestOf<R>] : [request: RequestOf<R>];

type ItemOf<R extends Route> = R extends {
  readonly items: infer I extends Schema;
}
  ? z.output<I>
  : never;

type MetadataOf<R> = R extends { readonly metadata: infer M extends Schema }
  ? z.output<typeof Metadata> & z.output<M>
  : z.output<typeof Metadata>;

export type BodyOf<R extends Route> =
  R extends Has<'items'>
    ? { items: ItemOf<R>[]; metadata: MetadataOf<R> }
    : R extends { readonly response: infer S extends Schema }
      ? z.output<S>
      : never;

/** The errors that a caller of the route can get: `errorsOf`, as a type. */
export type ErrorsOf<R extends Route> =
  | R['errors'][number]
  | (R extends Has<'params'> | Has<'body'> | Has<'items'> ? Common['ValidationFailed'] : never)
  | (R extends { readonly tolerant: true }
      ? never
      : R extends Has<'query'> | Has<'headers'>
        ? Common['ValidationFailed']
        : never)
  | (R extends Has<'body'> ? Common['MalformedJson' | 'UnsupportedContentType' | 'PayloadTooLarge'] : never)
  | (R extends Has<'items'> ? Common['InvalidCursor'] : never)
  | (R['auth'] extends 'public' ? never : Common['Unauthenticated' | 'Forbidden'])
  | (R['auth'] extends 'public'
      ? never
      : R extends { readonly closedAccount: string }
        ? never
        : Common['AccountClosed'])
  | (R extends { readonly signedInWithinSeconds: number } ? Common['SignInTooOld'] : never)
  | Common['RateLimited' | 'Internal' | 'Unavailable' | 'Timeout'];
type Common = typeof common;

type Success<R extends Route> = {
  ok: true;
  status: R extends { readonly status: infer S extends number } ? S : 200;
  body: BodyOf<R>;
  headers: Headers;
};

export type Refusal<E extends DeclaredError = DeclaredError> = E extends DeclaredError
  ? {
      ok: false;
      status: E['status'];
      code: E['code'];
      message: string;
      detail: DetailOf<E> | null;
      headers: Headers;
    }
  : never;

export type Result<R extends Route> = Success<R> | Refusal<ErrorsOf<R>>;

/** Iterates over a collection's pages, or over the items of all pages; a refusal on the way is thrown as `Refused`. */
type Iteration<R extends Route> =
  R extends Has<'items'>
    ? {
        pages(...request: ArgumentsOf<R>): AsyncGenerator<BodyOf<R>, void>;
        all(...request: ArgumentsOf<R>): AsyncGenerator<ItemOf<R>, void>;
      }
    : unknown;

type Call<R extends Route> = ((...request: ArgumentsOf<R>) => Promise<Result<R>>) & Iteration<R>;

/** What a domain's `routes.ts` exports: operations, and the schemas that have names. */
export type Declarations = Readonly<Record<string, Route | Schema>>;

export type Client<Rs extends Declarations> = {
  readonly [N in keyof Rs as Rs[N] extends Route ? N : never]: Rs[N] extends Route ? Call<Rs[N]> : never;
};
