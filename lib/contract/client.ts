import * as z from 'zod/mini';
import type { Client, Declarations, Refusal, Result } from './client-types.ts';
import { errorsOf, type Route, responseSchema } from './route.ts';

/** The typed client, derived from the declarations: a method for each, for tests and tools. */

export type ClientOptions<Rs extends Declarations> = {
  /** The base address of one application: `http://localhost:3000/de/v1`. */
  readonly baseUrl: string;
  /** A domain's declarations: `import * as consents from …/routes.ts`. */
  readonly routes: Rs;
  /** Returns the access token; called at each request to a route that is not public. */
  readonly token?: () => string | Promise<string>;
  readonly fetch?: typeof globalThis.fetch;
};

/** An answer that no declaration allows: another status, code or shape, or one that is not JSON. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  readonly status: number;
  readonly text: string;

  constructor(route: Route, status: number, text: string, why: string) {
    super(`${route.method} ${route.path} answered ${status}: ${why}`);
    this.status = status;
    this.text = text;
  }
}

/** A refusal while a collection is iterated over. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`${refusal.status} ${refusal.code}: ${refusal.message}`);
    this.refusal = refusal;
  }
}

/**
 * Each method returns what the route declares, a success or an error; `ok` and `code` tell them apart. Undeclared fields
 * are dropped.
 *
 * @throws an UnexpectedAnswer for any other answer, and every error of `fetch`
 */
export function client<Rs extends Declarations>(options: ClientOptions<Rs>): Client<Rs> {
  const calls = Object.entries(options.routes).flatMap(([name, declared]) => {
    return 'method' in declared ? [[name, callOf(declared, options)]] : [];
  });
  return Object.fromEntries(calls) as Client<Rs>;
}

type Options = Omit<ClientOptions<Declarations>, 'routes'>;
type Sent = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
};
type Page = { items: unknown[]; metadata: { nextCursor: string | null } };

function callOf(route: Route, options: Options) {
  const call = async (sent: Sent = {}) => read(route, await send(route, sent, options));
  if (!route.items) return call;

  async function* pages(sent: Sent = {}): AsyncGenerator<Page, void> {
    let query = sent.query;
    do {
      const result = await call({ ...sent, query });
      if (!result.ok) throw new Refused(result);
      const page = result.body as Page;
      yield page;
      query = page.metadata.nextCursor === null ? undefined : { ...sent.query, cursor: page.metadata.nextCursor };
    } while (query);
  }
  async function* all(sent: Sent = {}): AsyncGenerator<unknown, void> {
    for await (const { items } of pages(sent)) yield* items;
  }
  return Object.assign(call, { pages, all });
}

async function send(route: Route, sent: Sent, options: Options): Promise<Response> {
  const { baseUrl, token, fetch = globalThis.fetch } = options;
  const headers = new Headers();
  for (const [name, value] of Object.entries(sent.headers ?? {})) if (value !== undefined) headers.set(name, value);
  if (token && route.auth !== 'public') headers.set('authorization', `Bearer ${await token()}`);
  if (sent.body !== undefined) headers.set('content-type', 'application/json');
  return fetch(`${baseUrl.replace(/\/$/, '')}${pathOf(route, sent.params)}${searchOf(sent.query)}`, {
    method: route.method,
    headers,
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
  });
}

function pathOf({ path }: Route, params: Sent['params'] = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // A URL parser removes such a segment, so another route would be called.
    if (value === undefined || ['', '.', '..'].includes(value)) throw new TypeError(`${name} cannot be part of a path`);
    return encodeURIComponent(value);
  });
}

function searchOf(query: Sent['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return search && `?${search}`;
}

const ErrorShape = z.object({ code: z.string(), message: z.string(), detail: z.unknown() });

async function read(route: Route, response: Response): Promise<Result<Route>> {
  const { status, headers } = response;
  const text = await response.text();
  const unexpected = (why: string) => new UnexpectedAnswer(route, status, text, why);
  const body = parsed(text);
  if (status === (route.status ?? 200)) {
    const fitted = z.safeParse(responseSchema(route), body);
    if (!fitted.success) {
      throw unexpected(`the body does not fit: ${fitted.error.issues.map(({ path }) => path.join('.')).join()}`);
    }
    return { ok: true, status, body: fitted.data, headers } as Result<Route>;
  }
  const refusal = z.safeParse(ErrorShape, body);
  if (!refusal.success) throw unexpected('the body is no error');
  const { code, message, detail } = refusal.data;
  const declared = errorsOf(route).find((error) => error.code === code);
  if (!declared) throw unexpected(`${code} is not declared`);
  if (declared.status !== status) throw unexpected(`${code} has the status ${declared.status}`);
  const shape = declared.detail?.() ?? z.null();
  if (!z.safeParse(z.nullable(shape), detail).success) throw unexpected(`the detail is not that of ${code}`);
  return { ok: false, status, code, message, detail, headers } as Refusal;
}

/** @returns undefined for text that is not JSON; it fits no schema. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
