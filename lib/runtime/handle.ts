import type * as z from 'zod/mini';
import type { Account } from '../contract/accounts.ts';
import type { Page, Position } from '../contract/collection.ts';
import type { Application, Environment } from '../contract/deployments.ts';
import type { DeclaredError, DetailOf } from '../contract/errors.ts';
import type { PlatformApplications } from '../contract/push-platforms.ts';
import type { Route } from '../contract/route.ts';
import type { OfKind, TableNames } from '../contract/uses.ts';
import type { Found } from './access.ts';
import type { Caller } from './caller.ts';
import type { Cursors } from './cursor.ts';
import type { Named } from './environment.ts';
import type { Failure } from './failure.ts';
import type { Representation } from './representation.ts';

/** The types that a handler is written against, all of them read off its route's declaration. */

type OutputOf<S, Otherwise> = S extends z.core.$ZodType ? z.output<S> : Otherwise;
type Nothing = Record<never, never>;

type Counted<R extends Route> =
  | (keyof R['counts'] & string)
  | (R['metrics'] extends readonly (infer Name extends string)[] ? Name : never);

/** All that a handler is given; what its route does not declare is not there. */
export type Input<R extends Route> = Named<R['uses']> & {
  readonly params: OutputOf<R['params'], Nothing>;
  readonly query: OutputOf<R['query'], Nothing>;
  readonly headers: OutputOf<R['headers'], Nothing>;
  readonly body: OutputOf<R['body'], undefined>;
  /** Of a collection its place; of a page in a form of its own the cursors, by which the handler tells it. */
  readonly page: R extends { items: z.core.$ZodType } ? Page : R extends { cursors: true } ? Cursors : undefined;
  readonly caller: R['auth'] extends 'public' ? null : Caller;
  /** The caller's, read once for the request; only where a table is used. */
  readonly account: R['auth'] extends 'public' ? null : () => Promise<Account>;
  /** Of a route about another person: what was found out before the handler began. */
  readonly about: R extends { about: infer A } ? Found<A> : undefined;
  readonly application: Application;
  readonly environment: Environment;
  /** The business rules' time, one for the whole request; only where a table is used, as it comes from one. */
  readonly now: [TableNames<R['uses']>] extends [never] ? never : Date;
  /** The caller's own, verified by the authorizer, for what the user pool does by it; of a public route null. */
  readonly accessToken: string | null;
  /** The connection's: no header can set it. */
  readonly sourceIp: string;
  /** The gateway's extended request id. */
  readonly requestId: string;
  /** The names of the tables that the route uses. */
  readonly tables: { readonly [T in TableNames<R['uses']>]: string };
  /** Counts the request under one of the route's declared metrics; `why` is an error for the log. */
  readonly count: (name: Counted<R>, why?: unknown) => void;
  /** SNS's platform applications that are connected, for the routes that use them. */
  readonly platformApplications: [OfKind<R['uses'], 'pushPlatforms'>] extends [never]
    ? undefined
    : PlatformApplications;
  /** The iOS app's, for the routes that publish. */
  readonly bundleId: 'publish' extends OfKind<R['uses'], 'pushPlatforms'>['pushPlatforms'] ? string : undefined;
  /** Ends the request with one of the route's declared errors: `return fail(AgreementRequired)`. */
  readonly fail: <E extends R['errors'][number]>(...failure: FailureOf<E>) => Failure<E>;
};

/** Of each error of a union by itself, so that the compiler's complaint names the undeclared one. */
type FailureOf<E extends DeclaredError> = E extends unknown
  ? DetailOf<E> extends null
    ? [error: E]
    : [error: E, detail: DetailOf<E>]
  : never;

/** What the collection's metadata has beyond a page's place. */
type Further<R> = R extends { metadata: infer M extends z.core.$ZodType } ? { metadata: z.output<M> } : unknown;

type Body<R extends Route> = R extends { items: infer I }
  ? { items: OutputOf<I, never>[]; next: Position | null } & Further<R>
  : OutputOf<R['response'], never>;

/**
 * What a handler returns: the response's object, or a collection's items, where the next page begins and what further
 * metadata it declares. Where the route
 * declares an `ETag`, it comes beside the body, quotes and all: `{ etag: '"3"', body }`.
 */
export type Output<R extends Route> = R extends { etag: true }
  ? { etag: string; body: Represented<R> }
  : Represented<R>;

type Represented<R extends Route> = R extends { alternatives: readonly string[] } ? Body<R> | Representation : Body<R>;

export type Handle<R extends Route> = (input: Input<R>) => Promise<Output<R> | Failure<R['errors'][number]>>;

/**
 * A handler in two steps, for one round trip less. `read` needs neither the time nor an open account, so that it is read with
 * them at once: it only reads. `answer` begins when the account is known to be open.
 */
export type Steps<R extends Route, Found> = {
  readonly read: (asked: Omit<Input<R>, 'now' | 'count' | 'fail'>) => Promise<Found>;
  readonly answer: (input: Input<R>, found: Found) => ReturnType<Handle<R>>;
};

export type Handling<R extends Route, Found> = Handle<R> | Steps<R, Found>;

/** A handling of whatever route, for what stands around it. */
export type AnyHandling = ((input: never) => Promise<unknown>) | AnySteps;

export type AnySteps = {
  readonly read: (asked: never) => Promise<unknown>;
  readonly answer: (input: never, found: never) => Promise<unknown>;
};
