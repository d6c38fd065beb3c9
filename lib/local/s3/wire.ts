import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../service/request.ts';
import { written, type Xml } from '../xml.ts';
import { dechunked } from './chunked.ts';
import { S3Failure, tooLarge } from './failures.ts';
import type { Reply } from './operation.ts';

/** S3's REST protocol: https://smithy.io/2.0/aws/protocols/aws-restxml-protocol.html, buckets as the path's first part. */

export type S3Request = {
  readonly method: string;
  /** Decoded: `/bucket/a key`. */
  readonly path: string;
  readonly bucket: string;
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};

/** S3's limit is 5 GB; this emulator holds a whole body in memory. */
const MAX_BYTES = 64 * 1024 * 1024;
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

export function readRequest({ method = 'GET', url = '/', headers }: IncomingMessage): S3Request {
  // Not parsed by URL, which would interpret the dots and slashes of a key as parts of a path.
  const [rawPath = '/', ...rawQuery] = url.split('?');
  const path = decoded(rawPath);
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  const parameters = rawQuery
    .join('?')
    .split('&')
    .filter((each) => each !== '')
    .map((each) => {
      const [name = '', ...value] = each.split('=');
      return [decoded(name), decoded(value.join('=').replaceAll('+', ' '))];
    });
  const texts = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return { method, path, bucket, key, query: Object.fromEntries(parameters), headers: Object.fromEntries(texts) };
}

/** @returns the payload without the transfer's chunks, and the trailers after it */
export async function readPayload(
  request: IncomingMessage,
): Promise<{ body: Buffer; trailers: Record<string, string> }> {
  const body = await readBody(request, MAX_BYTES, (size) => tooLarge(size, MAX_BYTES));
  const { 'content-encoding': encoding = '', 'x-amz-content-sha256': hash = '' } = request.headers;
  const isChunked = String(hash).startsWith('STREAMING-') || encoding.includes('aws-chunked');
  return isChunked ? dechunked(body) : { body, trailers: {} };
}

export function sendReply(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  if (body === undefined || Buffer.isBuffer(body)) send(response, status, headers, body ?? Buffer.alloc(0));
  else send(response, status, { ...headers, 'content-type': 'application/xml' }, document(body, NAMESPACE));
}

/** An answer to HEAD has no document: its client sees only the status. */
export function sendFailure(response: ServerResponse, failure: S3Failure, cors: Record<string, string>): void {
  const { status, code, message, details } = failure;
  const headers = { ...failure.headers, ...cors, 'content-type': 'application/xml' };
  const RequestId = randomUUID();
  send(response, status, headers, document({ Error: { Code: code, Message: message, ...details, RequestId } }));
}

function send(response: ServerResponse, status: number, headers: Record<string, string>, body: Buffer): void {
  if (response.destroyed) return;
  const hasLength = status !== 204 && status !== 304;
  response
    .writeHead(status, {
      'x-amz-request-id': randomUUID(),
      ...(hasLength && { 'content-length': String(body.length) }),
      ...headers,
    })
    .end(body);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Failure(400, 'InvalidURI', "Couldn't parse the specified URI.");
  }
}

function document(root: { readonly [name: string]: Xml }, namespace?: string): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${written(root, namespace)}`);
}
