import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { isJsonObject, parseJson } from '../json.ts';

/** @param tooLarge the service's error for more bytes than `most`; it gets the number of bytes */
export async function readBody(
  request: IncomingMessage,
  most: number,
  tooLarge: (size: number) => Error,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    // Reads to the end, because closing the socket early would hide the answer.
    if (size <= most) chunks.push(chunk);
  }
  if (size > most) throw tooLarge(size);
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/** The signature is not verified here: the key only selects the policies. Null for a call without a signature. */
export function accessKeyOf({ headers }: IncomingMessage): string | null {
  return /Credential=([^/,\s]+)\//.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** @returns undefined if the body is not a JSON object */
export function jsonObjectIn(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  const input = parseJson(body.toString('utf8'));
  return isJsonObject(input) ? input : undefined;
}

/** Sends a service's answer in JSON. A client that has left gets none. */
export function sendJson(
  response: ServerResponse,
  status: number,
  output: unknown,
  headers: OutgoingHttpHeaders,
): void {
  if (response.destroyed) return;
  const body = Buffer.from(JSON.stringify(output) ?? 'null');
  const all = { 'x-amzn-requestid': randomUUID(), 'content-length': body.length, ...headers };
  response.writeHead(status, all).end(body);
}
