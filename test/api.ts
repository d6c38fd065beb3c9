import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { type Application, deployments } from '../lib/contract/deployments.ts';

/**
 * The API as its users call it: plain HTTP to a base address. The local stage's by default; `BASE_URL` (and, where the
 * host differs, `BASE_URL_MEDINFO`) name a deployed one's, and `TOKEN_COMMAND` then prints an access token for the user,
 * roles and application in its environment's `TOKEN_USER`, `TOKEN_ROLES` and `TOKEN_APPLICATION`.
 */

export type Answer = {
  status: number;
  headers: Headers;
  /** The parsed body; a test that reads it states what it expects. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests are about.
  body: any;
};

export type Call = { token?: string; body?: unknown; headers?: Record<string, string>; application?: Application };

export function baseUrl(application: Application = 'sleepcare'): string {
  const bases = inject('bases');
  return bases[application];
}

export async function call(method: string, path: string, options: Call = {}): Promise<Answer> {
  const { token, body, headers = {}, application } = options;
  const answer = await fetch(`${baseUrl(application)}${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

export type Signed = { user?: string; roles?: string; application?: Application };

/** An access token; of a user that nobody has met, unless one is named. */
export async function signIn({ user = randomUUID(), roles = 'patient', application = 'sleepcare' }: Signed = {}) {
  const command = process.env.TOKEN_COMMAND;
  if (command) {
    const env = { ...process.env, TOKEN_USER: user, TOKEN_ROLES: roles, TOKEN_APPLICATION: application };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env });
    return stdout.trim();
  }
  const query = new URLSearchParams({ user, roles, application });
  const answer = await fetch(new URL(`/_local/token?${query}`, baseUrl(application)));
  if (answer.status !== 200) throw new Error(`no token: ${await answer.text()}`);
  return answer.text();
}

/** One signed-in user's view of an API. */
export async function client(signed: Signed = {}) {
  const token = await signIn(signed);
  const application = signed.application ?? 'sleepcare';
  const as =
    (method: string) =>
    (path: string, options: Call = {}) =>
      call(method, path, { token, application, ...options });
  return { token, get: as('GET'), post: as('POST'), delete: as('DELETE') };
}

/** The two applications' addresses below one origin, as the local stage has them. */
export function basesAt(origin: string): Record<Application, string> {
  return {
    sleepcare: `${origin}${deployments.sleepcare.basePath}`,
    medinfo: `${origin}${deployments.medinfo.basePath}`,
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    bases: Record<Application, string>;
  }
}
