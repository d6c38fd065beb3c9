import * as z from 'zod/mini';
import { Accounts } from './accounts.ts';
import { type CursorFields, envelope, metadataNames } from './collection.ts';
import {
  AccountClosed,
  ConsentRequired,
  Forbidden,
  Internal,
  InvalidCursor,
  MalformedJson,
  PayloadTooLarge,
  RateLimited,
  SignInTooOld,
  Timeout,
  Unauthenticated,
  Unavailable,
  UnsupportedContentType,
  ValidationFailed,
} from './common-errors.ts';
import { EndedSessions } from './ended-sessions.ts';
import type { DeclaredError } from './errors.ts';
import { notFoundErrors } from './fields.ts';
import type { Permission } from './permissions.ts';
import type { Application, Environment, RegisteredDataSubject } from './register.ts';
import type { Table } from './tables.ts';
import { batch, changesTables, check, type TableUse, tablesReached, type UsedTable, type Uses } from './uses.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type ObjectSchema = z.ZodMiniObject;

/** An object, or several kinds of object that one field distinguishes. */
type BodySchema = ObjectSchema | z.ZodMiniDiscriminatedUnion<readonly ObjectSchema[], string>;

type Common = {
  readonly method: Method;
  /** Below the base address, parameters in braces: `/users/agreements/{agreementId}/consent`. */
  readonly path: `/${string}`;
  /** One line for the reference and docs/routes.md. */
  readonly summary: string;
  readonly description?: string;
  readonly applications: readonly Application[];
  /** Absent: every environment. What an environment lacks is not in its template. */
  readonly environments?: readonly Environment[];
  /** There is no default: each declaration names its callers. */
  readonly auth: 'public' | Permission;
  /**
   * The behaviour when the caller's account is closed. Absent: 403 `ACCOUNT_CLOSED`. `read`: it answers as usual, but
   * nothing is written in the caller's name. `manage`: the route closes or opens the account. `write`: it answers as
   * usual, and writes in the caller's name; its own transaction must ensure that nothing is written once an erasure has
   * begun.
   */
  readonly closedAccount?: 'read' | 'manage' | 'write';
  /** The greatest age of the caller's last sign-in; an older one gets 403 `SIGN_IN_TOO_OLD`. Renewing a token is no sign-in. */
  readonly signedInWithinSeconds?: number;
  /** The person whose data it is about, if that is not the caller, and why the caller may look. `withAccess` of the product checks it. */
  readonly dataSubject?: RegisteredDataSubject;
  readonly uses?: Uses;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  /** Declared request headers, in lower case. `authorization`: the handler of a public route reads the bearer itself. */
  readonly headers?: ObjectSchema;
  /** Absent: a body is ignored. Wrap it in `z.optional` if the body may be left out. */
  readonly body?: BodySchema | z.ZodMiniOptional<BodySchema>;
  /** Media types of other forms of the body, all of them JSON. The handler's file exports what reads them as `otherBodies`. */
  readonly otherBodies?: readonly string[];
  readonly status?: 200 | 201 | 202;
  /** It would rather answer without its tables than late: calls of DynamoDB end early. */
  readonly hasty?: true;
  /** Repeated or invalid values in the query and the headers count as not given. They never cause a 400, and nothing is required. */
  readonly tolerant?: true;
  /** Query parameters that are read but not documented: older names, each with the parameter that it means. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The handler's counts, each 0 or 1 in a request; an alarm watches each. */
  readonly counts?: Readonly<Record<string, Count>>;
  /** The handler's counts that are only for the dashboard. Each is 0 or 1 in each request, too. */
  readonly metrics?: readonly string[];
  /** Media types of other forms of the answer, which `Accept` asks for; the handler answers a `Representation`. Errors keep our JSON form. */
  readonly alternatives?: readonly string[];
  /** The answer carries an `ETag`, which its handler gives. A GET whose `If-None-Match` has it is answered with 304. */
  readonly etag?: true;
  /** Absent: `no-store`. */
  readonly cacheControl?: string;
  /** The errors that the handler can return, beyond those that follow from the declaration. */
  readonly errors: readonly DeclaredError[];
};

/** A metric that is 0 or 1 in each request, so its average is the share of the counted requests. */
type Count = (ShareCount | SumCount) & {
  /** What the users feel then; it is written for the person on call. */
  readonly impact: string;
};

type ShareCount = {
  /** Between 0 and 1: a greater share over a quarter of an hour raises the alarm. */
  readonly alarmAbove: number;
  readonly alarmAt?: never;
};

type SumCount = {
  /** So many counted requests within the window raise the alarm, however many others there are. */
  readonly alarmAt: number;
  readonly withinSeconds: 300 | 900;
  readonly alarmAbove?: never;
};

/** A single object is answered bare; a collection as `items` and `metadata`. */
type Single = {
  readonly response: ObjectSchema;
  /** The response is a page in its own form, such as a Bundle of FHIR's: its handler gets the cursors as `page`. */
  readonly cursors?: true;
  readonly items?: never;
  readonly cursor?: never;
  readonly metadata?: never;
  readonly defaultLimit?: never;
};
type Collection = {
  readonly items: ObjectSchema;
  /** `'deviceId'`: the handler gets the last page's end as `page.after`, and gives this page's end as `next`. */
  readonly cursor: CursorFields;
  readonly response?: never;
  readonly cursors?: never;
  /** The answer's `metadata` beyond limit, count, hasMore and nextCursor; the handler gives it. */
  readonly metadata?: ObjectSchema;
  /** The page size if the caller names none; 20 if absent. */
  readonly defaultLimit?: number;
};

export type Route = Common & (Single | Collection);

/**
 * Declares a route. Its method, Lambda function, grants, environment variables, validation, OpenAPI operation and typed
 * client are derived from this one object.
 *
 * @throws an Error where the declaration contradicts itself; the tests load every declaration.
 */
export function route<const R extends Route>(declaration: R): R {
  const where = `${declaration.method} ${declaration.path}`;
  if (declaration.auth === 'public' && declaration.signedInWithinSeconds !== undefined) {
    throw new Error(`${where}: nobody has signed in on a public route`);
  }
  if (declaration.auth !== 'public' && declaration.hasty)
    throw new Error(`${where}: who signs in waits for the account`);
  const inPath = pathParameters(declaration.path).sort().join();
  const shape = declaration.params?.shape ?? {};
  if (inPath !== Object.keys(shape).sort().join()) throw new Error(`${where}: params are not those of the path`);
  for (const schema of Object.values(shape)) {
    const error = notFoundErrors.get(schema);
    if (error && !declaration.errors.includes(error)) {
      throw new Error(`${where}: ${error.code} is not among its errors`);
    }
  }
  for (const [name, schema] of Object.entries(declaration.tolerant ? toleratedShape(declaration) : {})) {
    if (!z.safeParse(schema, undefined).success) throw new Error(`${where}: tolerant, but ${name} is required`);
  }
  for (const name of Object.keys(declaration.metadata?.shape ?? {})) {
    if (metadataNames.includes(name)) throw new Error(`${where}: every collection has its own metadata.${name}`);
  }
  return declaration;
}

function toleratedShape({ query, headers }: Route): Record<string, z.core.$ZodType> {
  return { ...query?.shape, ...headers?.shape };
}

/** The names in braces, in the path's order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

/** Whether it takes cursors: a collection, or a page in its own form. */
export function hasCursors({ items, cursors }: Route): boolean {
  return items !== undefined || cursors === true;
}

export function existsIn(declaration: Route, environment: Environment, application: Application): boolean {
  return declaration.applications.includes(application) && (declaration.environments?.includes(environment) ?? true);
}

/** The name of the permission, or `public`. */
export function authOf({ auth }: Route): string {
  return auth === 'public' ? auth : auth.name;
}

/** A route for tools and integrations, under the usage plan. */
export function isMetered(declaration: Route): boolean {
  return declaration.auth !== 'public' && declaration.auth.metered === true;
}

/** Every error that a caller of the route can get, the gateway's errors included, each once. */
export function errorsOf(declaration: Route): DeclaredError[] {
  return [
    ...new Set<DeclaredError>([
      ...(declaration.params || declaration.body || declaration.items || isStrict(declaration)
        ? [ValidationFailed]
        : []),
      ...(declaration.body ? [MalformedJson, UnsupportedContentType, PayloadTooLarge] : []),
      ...(hasCursors(declaration) ? [InvalidCursor] : []),
      ...(declaration.auth === 'public' ? [] : [Unauthenticated, Forbidden]),
      ...(declaration.signedInWithinSeconds === undefined ? [] : [SignInTooOld]),
      ...(asksForAccount(declaration) ? [AccountClosed] : []),
      ...(needsConsent(declaration) ? [ConsentRequired] : []),
      ...declaration.errors,
      RateLimited,
      Internal,
      Unavailable,
      Timeout,
    ]),
  ];
}

/** Whether its `dataSubject` names a consent. */
function needsConsent({ dataSubject }: { readonly dataSubject?: object }): boolean {
  return dataSubject !== undefined && 'consent' in dataSubject && dataSubject.consent !== undefined;
}

/** Whether a caller whose account is closed is refused. */
export function asksForAccount({ auth, closedAccount }: Route): boolean {
  return auth !== 'public' && closedAccount === undefined;
}

/** Whether its writes in the caller's name are allowed only while the account is open. */
export function isGuarded({ auth, uses, closedAccount }: Route): boolean {
  return auth !== 'public' && closedAccount !== 'manage' && closedAccount !== 'write' && changesTables(uses);
}

/**
 * The tables that a route's function reaches in an environment. A route with a caller also reaches the rows that say whether
 * the account is open and the session goes on, if the product has accounts.
 *
 * @param ofDataSubject the uses that follow from its `dataSubject`
 * @param here all tables of the environment
 */
export function tablesReachedBy(
  declaration: Route,
  ofDataSubject: readonly TableUse[],
  here: readonly Table[],
): UsedTable[] {
  const { auth } = declaration;
  const uses = [...(declaration.uses ?? []), ...ofDataSubject];
  const hasAccounts = here.some(({ name }) => name === Accounts.name);
  if (auth === 'public' || !hasAccounts) return tablesReached(uses, here);
  const ofCaller = [batch(Accounts), batch(EndedSessions), ...(isGuarded(declaration) ? [check(Accounts)] : [])];
  return tablesReached([...uses, ...ofCaller], here);
}

/** Whether a declared query or header can be refused. */
function isStrict({ query, headers, tolerant }: Route): boolean {
  return !tolerant && (query !== undefined || headers !== undefined);
}

/** The body of a success: the object itself, or a collection's envelope. */
export function responseSchema(declaration: Route): z.ZodMiniObject {
  return declaration.items ? envelope(declaration.items, declaration.metadata) : declaration.response;
}
