import { randomUUID } from 'node:crypto';
import { deployments } from '../functions/product.ts';
import type { Application } from '../lib/contract/register.ts';

/** Requests to a stage that a test opened itself; test/api.ts has those to the one that all tests share. */

type Place = { readonly url: string };

type Somebody = {
  /** Nobody has met the user, unless one is named. */
  readonly user?: string;
  readonly roles?: string;
  readonly application?: Application;
  /** An app client's name. */
  readonly client?: string;
};

/** A token that the local stage made; the user pool does not know the user. */
export async function tokenAt({ url }: Place, somebody: Somebody = {}): Promise<string> {
  const { user = randomUUID(), roles = 'patient', application = 'sleepcare', client = 'mobile-app' } = somebody;
  const query = new URLSearchParams({ user, roles, application, client });
  return (await fetch(`${url}/_local/token?${query}`)).text();
}

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null where the answer is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests are about.
  readonly body: any;
};

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** Somebody's requests. @param token null: without one */
export function callsAt({ url }: Place, application: Application, token: string | null): Call {
  return async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}${deployments[application].basePath}${path}`, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json');
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null };
  };
}

/** The requests of somebody with a new token. */
export async function callerAt(place: Place, somebody: Somebody = {}): Promise<Call> {
  return callsAt(place, somebody.application ?? 'sleepcare', await tokenAt(place, somebody));
}

/** The same for what only prepares a test: it gives the answer's body. @throws an Error where anything was refused */
export async function doerAt(place: Place, somebody: Somebody = {}) {
  const call = await callerAt(place, somebody);
  return async (method: string, path: string, body?: unknown): Promise<Answer['body']> => {
    const answer = await call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`);
    return answer.body;
  };
}

/** The same calls, of whose answers a test compares the whole: no two have the same headers. */
export function comparable(call: Call): (...request: Parameters<Call>) => Promise<Pick<Answer, 'status' | 'body'>> {
  return async (...request) => {
    const { status, body } = await call(...request);
    return { status, body };
  };
}
