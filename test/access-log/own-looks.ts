import type { Answer } from '../api.ts';

export const accessLog = '/users/me/access-log';

type Reader = { readonly get: (path: string) => Promise<Answer> };

/**
 * All looks at the caller's data, newest first; without those of administrators who list users at this moment, in other test files.
 *
 * @param reader the signed-in patient
 * @param limit of a page
 */
export async function ownLooks<AccessLogEntry extends { readonly action: string }>(
  reader: Reader,
  limit = 100,
): Promise<AccessLogEntry[]> {
  const looks: AccessLogEntry[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body }: Answer = await reader.get(`${accessLog}?limit=${limit}${more}`);
    looks.push(...body.items);
    cursor = body.metadata.nextCursor;
  } while (cursor !== null);
  return looks.filter(({ action }) => action !== 'GET /users');
}
