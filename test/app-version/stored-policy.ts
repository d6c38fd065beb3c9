import { type Answer, client } from '../api.ts';

/** Policies as their administrators have them, over HTTP. */

type Administrator = Awaited<ReturnType<typeof client>>;

export function administrator(): Promise<Administrator> {
  return client({ roles: 'admin', application: 'medinfo' });
}

/** Replaces whatever is there, on the condition that it is still there. */
export async function replacePolicy(admin: Administrator, path: string, body: unknown): Promise<Answer> {
  const { status, headers } = await admin.get(path);
  const condition: Record<string, string> =
    status === 404 ? { 'If-None-Match': '*' } : { 'If-Match': headers.get('etag') ?? '' };
  return admin.put(path, { body, headers: condition });
}
