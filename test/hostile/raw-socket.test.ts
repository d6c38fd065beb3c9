import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { exchange } from './raw-socket.ts';

/** The reader of answers sees what an HTTP client would hide. */

async function answering(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nA: 1\r\na: 2\r\n\r\nhi';

test('one whole answer, on a connection that stays open', async () => {
  using server = await answering((socket) => socket.write(ok));
  const answers = await exchange(server.url, 'x');
  expect(answers).toEqual([{ status: 200, headers: { 'content-length': '2', a: '1, 2' }, body: 'hi' }]);
});

test('a second answer that was not asked for, and an interim one that is none', async () => {
  using server = await answering((socket) => socket.end(`HTTP/1.1 100 Continue\r\n\r\n${ok}${ok}`));
  expect(await exchange(server.url, 'x')).toHaveLength(2);
});

test('an answer in chunks and in pieces', async () => {
  using server = await answering((socket) => {
    const rest = () => socket.end('i\r\n1\r\n!\r\n0\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nh', () => setImmediate(rest));
  });
  expect((await exchange(server.url, 'x'))[0]?.body).toBe('hi!');
});

test.each([
  ['silence', (_socket: Socket) => {}],
  ['half an answer', (socket: Socket) => void socket.write(ok.slice(0, -1))],
])('%s is an error in the end', async (_what, answer) => {
  using server = await answering(answer);
  await expect(exchange(server.url, 'x', { limitMs: 50 })).rejects.toThrow('no whole answer within 50 ms');
});

test.each([
  ['an end amid an answer', (socket: Socket) => void socket.end(ok.slice(0, -1)), 'closed amid an answer'],
  ['an end without an answer', (socket: Socket) => void socket.end(), 'closed amid an answer'],
  ['what is no HTTP', (socket: Socket) => void socket.end('hello\r\n\r\n'), 'no status line'],
])('%s is an error', async (_what, answer, message) => {
  using server = await answering(answer);
  await expect(exchange(server.url, 'x')).rejects.toThrow(message);
});
