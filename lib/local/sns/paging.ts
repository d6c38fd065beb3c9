import { invalid } from './failures.ts';

const PAGE = 100;

/** SNS lists 100 at a time. The token names the last listed entry, so a deletion shifts nothing. */
export function pageOf<T extends { sequence: number }>(all: readonly T[], token: string | undefined) {
  const after = token ? Number(/^after:(\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1]) : 0;
  if (Number.isNaN(after)) throw invalid('NextToken', 'Invalid token');
  const rest = all.filter(({ sequence }) => sequence > after).sort((a, b) => a.sequence - b.sequence);
  const page = rest.slice(0, PAGE);
  const last = rest.length > PAGE ? page.at(-1) : undefined;
  return { page, next: last && Buffer.from(`after:${last.sequence}`).toString('base64url') };
}
