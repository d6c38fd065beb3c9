import { readFile } from 'node:fs/promises';

/** The part of docs/openapi.json that the page reads. */
export type Operation = {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly servers?: readonly Server[];
  readonly 'x-permission'?: string;
};
export type OpenApi = {
  readonly servers: readonly Server[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
type Server = { readonly url: string; readonly description?: string };

const file = new URL('../../../docs/openapi.json', import.meta.url);

/** Read each time, because `npm run generate` may have changed it. */
export async function readDocument(): Promise<OpenApi> {
  return JSON.parse(await readFile(file, 'utf8'));
}

/** The document of this stage: it has only the local servers, at the address of the request. */
export function servedFrom(document: OpenApi, origin: string): OpenApi {
  const here = (servers: readonly Server[]) =>
    servers.filter(isLocal).map((server) => ({ ...server, url: `${origin}${new URL(server.url).pathname}` }));
  const operation = (each: Operation) => ({ ...each, ...(each.servers && { servers: here(each.servers) }) });
  return {
    ...document,
    servers: here(document.servers),
    paths: mapValues(document.paths, (methods) => mapValues(methods, operation)),
  };
}

/** `/de/v1`, `/v2` */
export function localBases({ servers }: Pick<OpenApi, 'servers'>): string[] {
  return servers.filter(isLocal).map(({ url }) => new URL(url).pathname);
}

function isLocal({ url }: Server): boolean {
  return url.startsWith('http://localhost');
}

function mapValues<A, B>(from: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value)]));
}
