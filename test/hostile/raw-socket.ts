import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { hangMs } from '../hang.ts';
import type { Bytes } from './case.ts';

/** Sends exactly the given bytes over TCP, and reads what comes back without an HTTP client's forgiveness. */

export type RawAnswer = {
  readonly status: number;
  /** By lower-case name; a repeated header is joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Between two pieces, so that the other side may read them apart; no assertion depends on whether it does. */
const betweenPiecesMs = 20;

/** `answers` is how many are due on the connection; `limitMs` ends a wait for what never comes. */
export type ExchangeOptions = { readonly answers?: number; readonly limitMs?: number };

/**
 * Every answer of the connection, in order, until it is closed: by the other side, or because all that are due have come.
 *
 * @throws an Error where no whole answer came, or it broke off
 */
export async function exchange(
  url: string,
  bytes: Bytes,
  { answers: due = 1, limitMs = hangMs }: ExchangeOptions = {},
): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let received = Buffer.alloc(0);
  let progressed = () => {};
  let [isClosed, isLate] = [false, false];
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    progressed();
  });
  // The other side may reset after the answer; a missing answer is reported below.
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
    progressed();
  });
  const limit = setTimeout(() => {
    isLate = true;
    progressed();
  }, limitMs);
  try {
    await write(socket, bytes);
    for (;;) {
      const { answers, isWhole } = parseAnswers(received);
      if (isClosed) {
        if (!isWhole) throw new Error(`closed amid an answer: ${JSON.stringify(received.toString('latin1'))}`);
        return answers;
      }
      if (isLate) throw new Error(`${isWhole ? 'not closed' : 'no whole answer'} within ${limitMs} ms`);
      // The other side then closes, too, after whatever it has sent beyond what was due.
      if (isWhole && answers.length >= due) socket.end();
      const progress = Promise.withResolvers<void>();
      progressed = () => progress.resolve();
      await progress.promise;
    }
  } finally {
    clearTimeout(limit);
    socket.destroy();
  }
}

async function write(socket: ReturnType<typeof connect>, bytes: Bytes): Promise<void> {
  const pieces = Array.isArray(bytes) ? bytes : [bytes];
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await sleep(betweenPiecesMs);
    // The other side may have answered and gone before it read all.
    await new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
      socket.write(Buffer.isBuffer(piece) ? piece : Buffer.from(piece, 'latin1'), () => resolve());
    });
  }
}

/** What of the bytes are whole answers, framed by `Content-Length`; an interim one (1xx) is no answer. */
function parseAnswers(received: Buffer): { answers: RawAnswer[]; isWhole: boolean } {
  const answers: RawAnswer[] = [];
  let rest = received;
  while (rest.length > 0) {
    const endOfHead = rest.indexOf('\r\n\r\n');
    if (endOfHead < 0) return { answers, isWhole: false };
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, endOfHead).split('\r\n');
    const [, digits] = /^HTTP\/1\.1 (\d{3})( |$)/.exec(statusLine) ?? [];
    if (!digits) throw new Error(`no status line: ${JSON.stringify(statusLine)}`);
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(':');
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 1).trim();
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
    }
    const status = Number(digits);
    const content = rest.subarray(endOfHead + 4);
    const { length, used } = headers['transfer-encoding'] ? chunkedLength(content) : plainLength(headers, content);
    if (length === null) return { answers, isWhole: false };
    if (status >= 200) answers.push({ status, headers, body: bodyOf(headers, content, used) });
    rest = content.subarray(used);
  }
  return { answers, isWhole: answers.length > 0 };
}

type Framed = { length: number | null; used: number };

function plainLength(headers: Record<string, string>, content: Buffer): Framed {
  const length = Number(headers['content-length'] ?? 0);
  return content.length < length ? { length: null, used: 0 } : { length, used: length };
}

/** A chunked answer is whole with its last, empty chunk. */
function chunkedLength(content: Buffer): Framed {
  const end = content.indexOf('0\r\n\r\n');
  return end < 0 ? { length: null, used: 0 } : { length: end, used: end + 5 };
}

function bodyOf(headers: Record<string, string>, content: Buffer, used: number): string {
  if (!headers['transfer-encoding']) return content.toString('utf8', 0, used);
  const chunks: Buffer[] = [];
  for (let at = 0; at < used; ) {
    const lineEnd = content.indexOf('\r\n', at);
    const size = Number.parseInt(content.toString('latin1', at, lineEnd), 16);
    if (size === 0) break;
    chunks.push(content.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(chunks).toString('utf8');
}
