import type * as z from 'zod/mini';
import type { Account } from '../contract/accounts.ts';
import type { After, Page } from '../contract/collection.ts';
import type { DeclaredError, DetailOf } from '../contract/errors.ts';
import type { PlatformApplications } from '../contract/push-platforms.ts';
import type { Application, Environment } from '../contract/register.ts';
import type { Route } from '../contract/route.ts';
import type { OfKind, TableNames } from '../contract/uses.ts';
import type { Caller } from './caller.ts';
import type { Cursors } from './cursor.ts';
import type { Named } from './environment.ts';
import type { Failure } from './failure.ts';
import type { Representation } from './representation.ts';
import type { HandlesOf } from './table-handle.ts';

/** The types for a handler, all derived from its route's declaration. */

type OutputOf<S, Otherwise> = S extends z.core.$ZodType ? z.output<S> : Otherwise;
type Nothing = Record<never, never>;

type Counted<R extends Route> =
  | (keyof R['counts'] & string)
  | (R['metrics'] extends readonly (infer Name extends string)[] ? Name : never);

/** The `result` of the check of a route that is about `A`; a product with such routes augments it. @public */
export interface AccessCheckResult<A> {
  readonly dataSubject?: A;
}

type ResultOf<F> = F extends { readonly result: infer T } ? T : undefined;

/** Everything that a handler gets. Parts that its route does not declare are absent. */
type Input<R extends Route> = Named<R['uses']> & {
  readonly params: OutputOf<R['params'], Nothing>;
  readonly query: OutputOf<R['query'], Nothing>;
  readonly headers: OutputOf<R['headers'], Nothing>;
  readonly body: OutputOf<R['body'], undefined>;
  /** For a collection the requested page; for a page in its own form the cursors, with which the handler reads and writes positions. */
  readonly page: R extends { cursor: infer C } ? Page<C> : R extends { cursors: true } ? Cursors : undefined;
  readonly caller: R['auth'] extends 'public' ? null : Caller;
  /** The caller's account, read once for the request; only where a table is used. */
  readonly account: R['auth'] extends 'public' ? null : () => Promise<Account>;
  /** For a route about another person: the result of the check before the handler. */
  readonly dataSubject: R extends { dataSubject: infer A } ? ResultOf<AccessCheckResult<A>> : undefined;
  readonly application: Application;
  readonly environment: Environment;
  /** The business rules' time, one value for the whole request. Only where a table is used, since the time comes from a table. */
  readonly now: [TableNames<R['uses']>] extends [never] ? never : Date;
  /** The address of the connection: no header can set it. */
  readonly sourceIp: string;
  /** The gateway's extended request id. */
  readonly requestId: string;
  /** The tables that the route uses. */
  readonly tables: HandlesOf<R['uses']>;
  /** Counts the request under a declared metric of the route; `why` is an error for the log. */
  readonly count: (name: Counted<R>, why?: unknown) => void;
  /** The connected platform applications of SNS, for routes that use them. */
  readonly platformApplications: [OfKind<R['uses'], 'pushPlatforms'>] extends [never]
    ? undefined
    : PlatformApplications;
  /** The iOS app's bundle id, for routes that publish. */
  readonly bundleId: 'publish' extends OfKind<R['uses'], 'pushPlatforms'>['pushPlatforms'] ? string : undefined;
  /** Ends the request with one of the route's declared errors: `return fail(AgreementRequired)`. */
  readonly fail: <E extends R['errors'][number]>(...failure: FailureOf<E>) => Failure<E>;
};

/** Distributes over a union of errors, so that the compiler's message names the undeclared one. */
type FailureOf<E extends DeclaredError> = E extends unknown
  ? DetailOf<E> extends null
    ? [error: E]
    : [error: E, detail: DetailOf<E>]
  : never;

/** The collection's metadata beyond a page's place. */
type Further<R> = R extends { metadata: infer M extends z.core.$ZodType } ? { metadata: z.output<M> } : unknown;

type Body<R extends Route> = R extends { items: infer I; cursor: infer C }
  ? { items: OutputOf<I, never>[]; next: After<C> | null } & Further<R>
  : OutputOf<R['response'], never>;

/**
 * The result of a handler: the response's object, or a collection's items with the start of the next page and any further
 * declared metadata. Where the route declares an `ETag`, it comes beside the body, with its quotes: `{ etag: '"3"', body
 * }`.
 */
type Output<R extends Route> = R extends { etag: true } ? { etag: string; body: Represented<R> } : Represented<R>;

type Represented<R extends Route> = R extends { alternatives: readonly string[] } ? Body<R> | Representation : Body<R>;

export type Handle<R extends Route> = (input: Input<R>) => Promise<Output<R> | Failure<R['errors'][number]>>;

/** A handler, in one step or in two (`serveWithPrefetch`). */
export type Handling<R extends Route, Found> = {
  readonly prefetch?: (asked: Omit<Input<R>, 'now' | 'count' | 'fail'>) => Promise<Found>;
  readonly respond: (input: Input<R>, found: Found) => ReturnType<Handle<R>>;
};

/** The handler of any route, for the code around it. */
export type AnyHandling = {
  readonly prefetch?: ((asked: never) => Promise<unknown>) | undefined;
  readonly respond: (input: never, found: never) => Promise<unknown>;
};
