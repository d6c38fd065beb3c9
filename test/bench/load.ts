import { connect, type Socket } from 'node:net';

/** Kept-alive connections that each ask again as soon as they are answered. */

export type Load = { readonly answers: number; readonly seconds: number };

const headEnd = Buffer.from('\r\n\r\n');

/**
 * Costs less than any server that it asks: the request is one ready buffer, and of an answer only its end is looked for.
 *
 * @throws where an answer is no 200: a failure would be fast, and mean nothing.
 */
export async function load(port: number, path: string, connections: number, milliseconds: number): Promise<Load> {
  const head = ['Host: 127.0.0.1', 'User-Agent: bench', 'Accept: application/json', 'Connection: keep-alive'];
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  const sockets = await Promise.all(Array.from({ length: connections }, () => connected(port)));
  const began = performance.now();
  const end = began + milliseconds;
  const answered = await Promise.all(sockets.map((socket) => askUntil(socket, request, end)));
  const seconds = (performance.now() - began) / 1000;
  for (const socket of sockets) socket.destroy();
  return { answers: answered.reduce((sum, count) => sum + count, 0), seconds };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

function askUntil(socket: Socket, request: Buffer, end: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let answers = 0;
    let got: Buffer = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server ended a connection')));
    socket.on('data', (chunk: Buffer) => {
      got = got.length === 0 ? chunk : Buffer.concat([got, chunk]);
      const length = answerLength(got);
      if (length === null || got.length < length) return;
      if (got.toString('latin1', 9, 12) !== '200') return reject(new Error(`answered ${got.toString()}`));
      got = got.subarray(length);
      answers += 1;
      if (performance.now() < end) socket.write(request);
      else resolve(answers);
    });
    socket.write(request);
  });
}

/** Head and body in bytes; null while the head is incomplete. */
function answerLength(got: Buffer): number | null {
  const end = got.indexOf(headEnd);
  if (end < 0) return null;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(got.toString('latin1', 0, end)) ?? [];
  if (length === undefined) throw new Error(`an answer without a length: ${got.toString()}`);
  return end + headEnd.length + Number(length);
}
