import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { api, authorized, method, stage, testGateway } from './gateway.ts';

const methods = [
  method('ANY', '/echo', 'echo'),
  method('POST', '/length', 'length'),
  method('POST', '/closed', 'echo', authorized),
];
const model = stage([api({ methods })]);
const length = ({ body }: Record<string, unknown>) => {
  const text = typeof body === 'string' ? body : null;
  return { statusCode: 200, body: String(text?.length ?? null) };
};
const start = (more = {}) => testGateway(model, { length }, more);

/** The model, which is read at the start and once for each request; and how many requests have come. */
function counted() {
  let reads = 0;
  return {
    model: () => {
      reads += 1;
      return model;
    },
    requests: () => reads - 1,
  };
}

/** The parsed parts of the last answer in what came over a socket. */
function parse(answer: string) {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') };
}

describe('what is no proper HTTP is answered in the form of every error, and hurts nobody else', () => {
  test.each([
    ['garbage', 'hello there\r\n\r\n', 400],
    ['a TLS handshake', '\x16\x03\x01\x00\xa5\x01\x00\x00', 400],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a broken header', 'GET /de/echo HTTP/1.1\r\nHost x\r\n\r\n', 400],
    ['a NUL in a header', 'GET /de/echo HTTP/1.1\r\nHost: x\r\nA: b\x00c\r\n\r\n', 400],
    ['no Host', 'GET /de/echo HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two lengths', 'POST /de/length HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'length and chunks',
      'POST /de/length HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a broken chunk', 'POST /de/length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    ['a raw brace in a query', 'GET /de/echo?a={b} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['an unknown method', 'BREW /de/echo HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['a head above all limits', `GET /de/echo HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(60_000)}\r\n\r\n`, 413],
  ])('%s', async (_what, text, status) => {
    await using gateway = await start();
    const answer = parse(await gateway.raw(text));
    expect(answer.status).toBe(status);
    expect(Object.keys(JSON.parse(answer.body))).toEqual(['code', 'message', 'detail']);
    expect(answer.head).toMatch(/x-amzn-RequestId: .+\r\nx-amz-apigw-id: /);
    expect((await gateway.fetch('/de/echo')).status).toBe(200);
  });
});

describe('what is proper, if rare, is served', () => {
  test.each([
    ['an absolute target', 'GET http://other.example/de/echo?a=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    [
      'an upgrade that is not taken',
      'GET /de/echo HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['HTTP/1.0 without a Host', 'GET /de/echo HTTP/1.0\r\n\r\n'],
    ['an unknown expectation', 'GET /de/echo HTTP/1.1\r\nHost: x\r\nExpect: the-moon\r\nConnection: close\r\n\r\n'],
    ['300 headers', `GET /de/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'A: b\r\n'.repeat(3000)}\r\n`],
  ])('%s', async (_what, text) => {
    await using gateway = await start();
    const answer = parse(await gateway.raw(text));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).path).toBe('/echo');
  });

  test('Expect: 100-continue', async () => {
    await using gateway = await start();
    const head =
      'POST /de/length HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
    const answer = await gateway.raw([head, 'hello'], {
      between: (soFar) => eventually(() => expect(soFar()).toContain('100 Continue')),
    });
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    expect(answer).toMatch(/\r\n\r\n5$/);
  });

  test('pipelined requests are answered in order, on one connection', async () => {
    const ended: string[] = [];
    await using gateway = await testGateway(model, {
      echo: async (event) => {
        const { place } = event.queryStringParameters as { place: string };
        if (place === '1') await eventually(() => expect(ended).toEqual(['2', '3']));
        ended.push(place);
        return { statusCode: 200, body: `<${place}>` };
      },
    });
    const get = (place: number, close = '') => `GET /de/echo?place=${place} HTTP/1.1\r\nHost: x\r\n${close}\r\n`;
    const answer = await gateway.raw(get(1) + get(2) + get(3, 'Connection: close\r\n'));
    expect(answer.match(/<\d+>/g)).toEqual(['<1>', '<2>', '<3>']);
  });
});

describe('sizes', () => {
  test('10 MB of body are taken, announced or in chunks, and not a byte more', async () => {
    await using gateway = await start();
    const most = 10 * 1024 * 1024;
    const send = async (bytes: number, chunked: boolean) => {
      const body = chunked ? new Blob(['x'.repeat(bytes)]).stream() : 'x'.repeat(bytes);
      const response = await gateway.fetch('/de/length', {
        method: 'POST',
        body,
        ...(chunked && { duplex: 'half' }),
      } as RequestInit);
      return [response.status, await response.text()];
    };
    expect(await send(most, false)).toEqual([200, String(most)]);
    expect(await send(most, true)).toEqual([200, String(most)]);
    expect((await send(most + 1, false))[0]).toBe(413);
    expect((await send(most + 1, true))[0]).toBe(413);
  });

  test('a body that is only announced is refused before it comes', async () => {
    await using gateway = await start();
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write('POST /de/length HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nabc');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(parse(chunk.toString()).status).toBe(413);
    expect(gateway.calls).toEqual([]);
    socket.destroy();
  });

  test('an answer that precedes the end of the body reaches the client', async () => {
    await using gateway = await start();
    for (let round = 0; round < 5; round += 1) {
      const response = await gateway.fetch('/de/closed', { method: 'POST', body: 'x'.repeat(3_000_000) });
      expect([response.status, await response.text()]).toEqual([401, '{"message":"Unauthorized"}']);
    }
  });

  test('so it does where the connection ends with it, and where the request is no HTTP', async () => {
    await using gateway = await start();
    const head = 'POST /de/closed HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3000000\r\n\r\n';
    // In pieces, as the reset comes with what arrives after the socket was closed.
    const body = Array<string>(30).fill('x'.repeat(100_000));
    const late = { between: () => turn(), readLate: true };
    for (let round = 0; round < 3; round += 1) {
      expect(parse(await gateway.raw([head, ...body], late)).status).toBe(401);
      expect(parse(await gateway.raw(['no HTTP\r\n\r\n', ...body], late)).status).toBe(400);
    }
  });

  test('10,240 bytes of header values and characters of URL', async () => {
    await using gateway = await start();
    const get = async (values: number, target: string) =>
      parse(
        await gateway.raw(
          `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nA: ${'a'.repeat(values - 6)}\r\n\r\n`,
        ),
      ).status;
    const url = (characters: number) => `/de/echo?${'q'.repeat(characters - 9)}`;
    expect([await get(10_240, '/de/echo'), await get(10_241, '/de/echo')]).toEqual([200, 413]);
    expect([await get(10, url(10_240)), await get(10, url(10_241))]).toEqual([200, 413]);
    expect(await get(10, `/none/${'q'.repeat(11_000)}`)).toBe(413);
  });

  test('a method ARN above 1600 bytes, where there is an authorizer', async () => {
    const methods = [method('GET', '/open/{id}', 'echo'), method('GET', '/shut/{id}', 'echo', authorized)];
    await using gateway = await testGateway(stage([api({ methods })]), {});
    const id = 'a'.repeat(1600);
    expect((await gateway.fetch(`/de/open/${id}`)).status).toBe(200);
    expect((await gateway.fetch(`/de/shut/${id}`, { headers: { Authorization: 'x' } })).status).toBe(413);
  });
});

describe('clients that misbehave', () => {
  test('one that leaves within its body, or before its answer, leaves no trace but an entry', async () => {
    const open = Promise.withResolvers<unknown>();
    const { model, requests } = counted();
    await using gateway = await testGateway(model, { length, echo: () => open.promise });
    const half = connect(gateway.port, '127.0.0.1');
    half.write('POST /de/length HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
    await eventually(() => expect(requests()).toBe(1));
    half.destroy();
    await eventually(() => expect(gateway.entries).toMatchObject([{ status: 0, error: 'the client left' }]));
    const gone = connect(gateway.port, '127.0.0.1');
    gone.write('GET /de/echo HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => expect(gateway.calls).toHaveLength(1));
    gone.destroy();
    await once(gone, 'close');
    const another = () => gateway.fetch('/de/length', { method: 'POST', body: 'abc' });
    // When a later connection was served, the gateway has seen the end of the earlier one.
    expect((await another()).status).toBe(200);
    expect(gateway.entries).toHaveLength(2);
    open.resolve({ statusCode: 200, body: 'late' });
    await eventually(() => expect(gateway.entries).toHaveLength(3));
    expect((await another()).status).toBe(200);
  });

  test('a slow body is waited for, while others are served', async () => {
    await using gateway = await start();
    const head = 'POST /de/length HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\n';
    const between = async () => expect((await gateway.fetch('/de/echo')).status).toBe(200);
    const answer = await gateway.raw([head, 'a', 'b', 'c'], { between });
    expect(parse(answer)).toMatchObject({ status: 200, body: '3' });
  });
});

describe('only addresses of this machine', () => {
  test('are asked first, may answer later, may pass or fail', async () => {
    const seen: string[] = [];
    await using gateway = await start({
      local: async (_request: unknown, response: { end(text: string): void }, url: URL) => {
        seen.push(url.pathname + url.search);
        if (url.pathname === '/_local/bad') throw new Error('secret');
        if (url.pathname === '/_local/none') return false;
        await turn();
        response.end('token');
        return true;
      },
    });
    expect(await (await gateway.fetch('/_local/token?user=a%20b')).text()).toBe('token');
    expect(await (await gateway.fetch('/_local/none')).json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    const failed = await gateway.fetch('/_local/bad');
    expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringContaining('secret')]);
    expect((await gateway.fetch('/_localx')).status).toBe(404);
    expect(seen).toEqual(['/_local/token?user=a%20b', '/_local/none', '/_local/bad']);
  });
});

test('a taken port is an error, and close ends open connections', async () => {
  const { model, requests } = counted();
  const gateway = await testGateway(model, { length });
  await expect(start({ port: gateway.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const idle = connect(gateway.port, '127.0.0.1');
  const busy = connect(gateway.port, '127.0.0.1');
  busy.write('POST /de/length HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
  // Taken in the order in which they came, so that the idle one is taken, too.
  await eventually(() => expect(requests()).toBe(1));
  const ended = Promise.all([once(idle, 'close'), once(busy, 'close')]);
  await gateway.close();
  await ended;
  await expect(gateway.fetch('/de/echo')).rejects.toThrow();
});
