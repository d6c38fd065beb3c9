import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { badRequestAnswer, errorAnswer, maximumDrainMs } from './answer.ts';
import type { Answer } from './gateway-responses.ts';
import { newExtendedRequestId } from './identifiers.ts';

type ParseError = Error & { code?: string; rawPacket?: Buffer };

/** Answers input that never becomes a request: no HTTP, too many headers, a client that is too slow, CONNECT. */
export function answerMalformed(server: Server): void {
  const ending = new WeakSet<Duplex>();
  server.on('clientError', (error: ParseError, socket) => {
    // The parser reports an error for every later chunk, too.
    if (ending.has(socket)) return;
    ending.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable || answering(socket)) socket.destroy();
    else end(socket, answerTo(error));
  });
  server.on('connect', (_request, socket) => end(socket, errorAnswer('ROUTE_NOT_FOUND')));
}

function answerTo(error: ParseError): Answer {
  if (error.code === 'HPE_HEADER_OVERFLOW') return errorAnswer('PAYLOAD_TOO_LARGE');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return badRequestAnswer('body', 'The request did not arrive in time.');
  // A well-formed request line with a method that Node does not know: no route has it.
  const line = error.rawPacket?.toString('latin1', 0, 4096) ?? '';
  if (error.code === 'HPE_INVALID_METHOD' && /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r\n/.test(line)) {
    return errorAnswer('ROUTE_NOT_FOUND');
  }
  return badRequestAnswer('header', 'The request is not valid HTTP/1.1.');
}

/** Whether an answer is half written; a second answer would only garble it. Node's own handler checks the same. */
function answering(socket: Duplex & { _httpMessage?: { _headerSent?: boolean } | null }): boolean {
  return socket._httpMessage?._headerSent === true;
}

function end(socket: Duplex, { status, headers, body }: Answer): void {
  const ids = ['x-amzn-RequestId', randomUUID(), 'x-amz-apigw-id', newExtendedRequestId()];
  const all = [...ids, ...headers, 'Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close'];
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let index = 0; index < all.length; index += 2) head += `${all[index]}: ${all[index + 1]}\r\n`;
  socket.on('error', () => {});
  socket.end(`${head}\r\n${body}`);
  // Drops what the client still sends, so the answer reaches the client before the connection ends.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), maximumDrainMs);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}
