import * as errors from '../../contract/common-errors.ts';
import { errorBody, errorHeaders } from '../../contract/errors.ts';
import type { Exchange } from './exchange.ts';
import type { Answer } from './gateway-responses.ts';

type CommonCode = (typeof errors)[keyof typeof errors]['code'];

/** An error in the form of docs/conventions.md, for requests that no API of the template answers. */
export function errorAnswer(code: CommonCode): Answer {
  const error = Object.values(errors).find((each) => each.code === code) ?? errors.Internal;
  const headers = ['Content-Type', 'application/json', ...Object.entries(errorHeaders(error)).flat()];
  return { status: error.status, headers, body: JSON.stringify(errorBody(error)) };
}

/** The answer to a request that HTTP or API Gateway does not allow. */
export function badRequestAnswer(where: 'header' | 'query' | 'body', message: string): Answer {
  const body = errorBody(errors.ValidationFailed, {
    issues: [{ in: where, path: '', code: 'invalid_format', message }],
  });
  return { status: 400, headers: ['Content-Type', 'application/json'], body: JSON.stringify(body) };
}

/** @throws if a header cannot be sent. */
export function write(exchange: Exchange, answer: Answer): void {
  const { response } = exchange;
  if (response.headersSent || response.destroyed) return;
  response.writeHead(answer.status, headersOf(exchange, answer));
  response.end(answer.body);
}

// How many bytes of an answered request are still read, and for how long.
const maximumDrainBytes = 64 * 1024 * 1024;
export const maximumDrainMs = 5000;

/**
 * Answers before the whole request was read, and ends the connection. The rest is read and dropped for a while: if the
 * socket closed immediately, the client would see a reset instead of the answer.
 */
export function writeAndClose(exchange: Exchange, answer: Answer): void {
  const { request, response } = exchange;
  if (response.headersSent || response.destroyed) return;
  response.writeHead(answer.status, [...headersOf(exchange, answer), 'Connection', 'close']);
  response.write(answer.body);
  let dropped = 0;
  const finish = () => {
    clearTimeout(timer);
    response.end();
    if (!request.complete) request.destroy();
  };
  const timer = setTimeout(finish, maximumDrainMs);
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > maximumDrainBytes) finish();
  });
  request.once('end', finish);
  request.once('close', finish);
  request.resume();
}

function headersOf({ requestId, extendedRequestId }: Exchange, { status, headers, body }: Answer): string[] {
  const list = ['x-amzn-RequestId', requestId, 'x-amz-apigw-id', extendedRequestId];
  if (status !== 204 && status !== 304) list.push('Content-Length', String(Buffer.byteLength(body)));
  for (const item of headers) list.push(item);
  return list;
}
