import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

export type Reply = { status: number; headers: OutgoingHttpHeaders; body: Buffer };
export type Forward = { send(headers: IncomingHttpHeaders, body: Buffer): Promise<Reply>; close(): void };

/** DynamoDB Local keeps one database for each access key and region; with one key all callers see the same. */
const KEY = 'local';
/** They are of one connection, or the sender states them itself. */
const own = /^(host|connection|keep-alive|transfer-encoding|content-length|accept-encoding|x-amz-security-token)$/;

/** Forwards calls to an external DynamoDB, which does not verify signatures. Keeps the caller's region. */
export function openForward(endpoint: string): Forward {
  const closing = new AbortController();
  return {
    async send(given, body) {
      const authorization = String(given.authorization).replace(/Credential=[^/,\s]+/, `Credential=${KEY}`);
      const kept = Object.entries({ ...given, authorization }).filter(([name]) => !own.test(name));
      // Otherwise the body would come unpacked, with the headers of a packed one.
      const headers = { ...Object.fromEntries(kept as [string, string][]), 'accept-encoding': 'identity' };
      const call = { method: 'POST', headers, body: new Uint8Array(body), signal: closing.signal };
      const response = await fetch(endpoint, call);
      const { status } = response;
      return { status, headers: Object.fromEntries(response.headers), body: Buffer.from(await response.arrayBuffer()) };
    },
    close: () => closing.abort(),
  };
}
