import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { deployments } from '../functions/product.ts';
import type { Application } from '../lib/contract/register.ts';
import { noteExchange } from './personal-data.ts';

/**
 * The API as its users call it: plain HTTP to a base address. The local stage's by default; `BASE_URL` (and, where the
 * host differs, `BASE_URL_MEDINFO`) name a deployed one's, and `TOKEN_COMMAND` then prints an access token for the user,
 * roles, application and app client in its environment's `TOKEN_USER`, `TOKEN_ROLES`, `TOKEN_APPLICATION` and
 * `TOKEN_CLIENT`.
 */

export type Answer = {
  status: number;
  headers: Headers;
  /** The parsed body; a test that reads it states what it expects. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests are about.
  body: any;
};

export type Call = { token?: string; body?: unknown; headers?: Record<string, string>; application?: Application };

/** Whether `BASE_URL` names the stage. In its workers Vitest sets its own BASE_URL, the path `/`, so test/stage.ts passes it on. */
export function isDeployed(): boolean {
  return inject('isDeployed');
}

export function baseUrl(application: Application = 'sleepcare'): string {
  const bases = inject('bases');
  return bases[application];
}

/** A deployed stage limits its callers: there, a 429 is waited out. */
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
  const notes = inject('personalData');
  if (notes) noteExchange(notes, { path, token, request: body, status: answer.status, text });
  if (answer.status === 429 && isDeployed()) {
    await sleep(Number(answer.headers.get('retry-after') ?? 60) * 1000);
    return call(method, path, options);
  }
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

export type Signed = {
  user?: string;
  roles?: string;
  application?: Application;
  /** An app client's name; `mobile-app` unless given. */
  client?: string;
};

/** An access token; of a user that nobody has met, unless one is named. */
export async function signIn(signed: Signed = {}) {
  const { user = randomUUID(), roles = 'patient', application = 'sleepcare' } = signed;
  // A tool's role counts only with the tool's client.
  const { client = roles === 'integration' ? roles : 'mobile-app' } = signed;
  const command = process.env.TOKEN_COMMAND;
  if (command) {
    const wanted = { TOKEN_USER: user, TOKEN_ROLES: roles, TOKEN_APPLICATION: application, TOKEN_CLIENT: client };
    const env = { ...process.env, ...wanted };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env });
    return stdout.trim();
  }
  // Longer than any file takes that signs in once.
  const query = new URLSearchParams({ user, roles, application, client, expiresIn: '9000' });
  const answer = await fetch(new URL(`/_local/token?${query}`, baseUrl(application)));
  if (answer.status !== 200) throw new Error(`no token: ${await answer.text()}`);
  return answer.text();
}

/** One signed-in user's view of an API. */
export async function client(signed: Signed = {}) {
  const token = await signIn(signed);
  // The pool of a deployed stage chooses the id, whatever the user is called.
  const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
  const application = signed.application ?? 'sleepcare';
  const as =
    (method: string) =>
    (path: string, options: Call = {}) =>
      call(method, path, { token, application, ...options });
  const methods = { get: as('GET'), post: as('POST'), put: as('PUT'), patch: as('PATCH'), delete: as('DELETE') };
  return { token, user: sub, ...methods };
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
    /** Not the local stage that test/stage.ts starts: other seeds and users, and its limits are in force. */
    isDeployed: boolean;
    /** Where is noted what is said of people; null: a deployed stage, whose logs nobody here reads. */
    personalData: string | null;
  }
}
