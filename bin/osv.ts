import { type Advisory, type Package, purlOf } from './advisories.ts';

/** Asks OSV, the public database of advisories, about packages: https://google.github.io/osv.dev/api/ */

const address = 'https://api.osv.dev/v1';
const mostQueries = 1000;
const waitMs = 20_000;

type Query = { readonly package: { readonly purl: string }; readonly page_token?: string };
type Result = { readonly vulns?: readonly { readonly id: string }[]; readonly next_page_token?: string };

/** OSV does not answer, or not as its documentation says. */
export class OsvUnavailable extends Error {}

export type Ask = (path: string, body?: object) => Promise<unknown>;

export async function affectedBy(packages: readonly Package[], ask: Ask = askOsv) {
  const ids = new Map(packages.map((of) => [of, new Set<string>()]));
  let open: { of: Package; query: Query }[] = packages.map((of) => ({ of, query: { package: { purl: purlOf(of) } } }));
  while (open.length > 0) {
    const asked = open.splice(0, mostQueries);
    const { results } = (await ask('querybatch', { queries: asked.map(({ query }) => query) })) as {
      results?: Result[];
    };
    if (results?.length !== asked.length) throw new OsvUnavailable('the answer does not fit the question');
    for (const [index, { vulns = [], next_page_token }] of results.entries()) {
      const { of, query } = asked[index] as (typeof asked)[number];
      for (const { id } of vulns) ids.get(of)?.add(id);
      if (next_page_token) open = [...open, { of, query: { ...query, page_token: next_page_token } }];
    }
  }
  const known = new Map<string, Advisory>();
  for (const id of new Set([...ids.values()].flatMap((each) => [...each]))) {
    known.set(id, (await ask(`vulns/${encodeURIComponent(id)}`)) as Advisory);
  }
  return [...ids].map(([of, each]) => ({ of, advisories: [...each].flatMap((id) => known.get(id) ?? []) }));
}

async function askOsv(path: string, body?: object): Promise<unknown> {
  try {
    const response = await fetch(`${address}/${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      signal: AbortSignal.timeout(waitMs),
    });
    if (!response.ok) throw new OsvUnavailable(`status ${response.status}`);
    return await response.json();
  } catch (error) {
    if (error instanceof OsvUnavailable) throw error;
    const { message, cause } = error as Error;
    throw new OsvUnavailable(cause instanceof Error ? cause.message : message);
  }
}
