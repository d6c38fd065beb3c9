import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Jwks } from 'aws-jwt-verify/jwk';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fetchKeys, KeysUnavailable, keyCache } from '../../lib/runtime/jwks.ts';

const key = (kid: string) => ({ kty: 'RSA', kid, n: 'x', e: 'AQAB' });
const asking = (kid: string) => ({ header: { alg: 'RS256', kid }, payload: {} });

/** A cache over a key set that the test changes, on a clock that moves when somebody waits. */
function setUp(...kids: string[]) {
  const pool = { kids, loads: 0, isDown: false, time: 0 };
  const cache = keyCache(
    async () => {
      pool.loads += 1;
      if (pool.isDown) throw new KeysUnavailable('down');
      return { keys: pool.kids.map(key) } as unknown as Jwks;
    },
    () => pool.time,
  );
  return { pool, ask: (kid: string) => cache.getJwk('', asking(kid)) };
}

describe('the key cache', () => {
  test('fetches once for many', async () => {
    const { pool, ask } = setUp('a', 'b');
    await Promise.all([ask('a'), ask('b'), ask('a')]);
    await ask('b');
    expect(pool.loads).toBe(1);
  });

  test('sees a rotated key at once', async () => {
    const { pool, ask } = setUp('a');
    await ask('a');
    pool.kids = ['a', 'b'];
    expect((await ask('b')).kid).toBe('b');
  });

  test('a flood of invented ids delays a rotated key at most by the running fetch', async () => {
    const { pool, ask } = setUp('a');
    await ask('a');
    const flood = Array.from({ length: 200 }, (_, n) => ask(`invented-${n}`).catch((error: Error) => error.name));
    pool.kids = ['a', 'rotated'];
    expect((await ask('rotated')).kid).toBe('rotated');
    expect(new Set(await Promise.all(flood))).toEqual(new Set(['UnknownKey']));
    // One for the first of them, and one for those that came while it was under way.
    expect(pool.loads).toBeLessThanOrEqual(3);
    expect(pool.time).toBe(0);
  });

  test('the same invented id causes one fetch a second', async () => {
    const { pool, ask } = setUp('a');
    await ask('a');
    for (let n = 0; n < 50; n += 1) await expect(ask('invented')).rejects.toThrow('no such key');
    expect(pool.loads).toBe(2);
    pool.time += 1_000;
    pool.kids = ['a', 'invented'];
    expect((await ask('invented')).kid).toBe('invented');
  });

  test('keeps its keys while the pool cannot be reached, and says so for unknown ones', async () => {
    const { pool, ask } = setUp('a');
    await ask('a');
    pool.isDown = true;
    await expect(ask('b')).rejects.toThrow(KeysUnavailable);
    expect((await ask('a')).kid).toBe('a');
    pool.isDown = false;
    pool.kids = ['b'];
    expect((await ask('b')).kid).toBe('b');
  });
});

describe('fetching', () => {
  let stop = () => {};
  afterEach(() => stop());

  async function serving(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    stop = () => {
      server.closeAllConnections();
      server.close();
    };
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
  }

  /** What ends a fetch, by the test's hand in place of the time that is asked for. */
  function controlled() {
    const controller = new AbortController();
    const asked = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
    onTestFinished(() => asked.mockRestore());
    return { asked, end: () => controller.abort() };
  }

  test('a key set', async () => {
    const address = await serving((_request, response) => response.end(JSON.stringify({ keys: [key('a')] })));
    expect(await fetchKeys(address)).toEqual({ keys: [key('a')] });
  });

  test.each<[string, RequestListener]>([
    ['an error', (_request, response) => response.writeHead(500).end('{"keys":[]}')],
    // To a key set that would be taken.
    [
      'a redirect',
      ({ url, headers }, response) =>
        url === '/elsewhere'
          ? response.end(JSON.stringify({ keys: [key('a')] }))
          : response.writeHead(302, { location: `http://${headers.host}/elsewhere` }).end(),
    ],
    ['no JSON', (_request, response) => response.end('<html>')],
    ['no key set', (_request, response) => response.end('{"keys":7}')],
    [
      'half an answer',
      (_request, response) => response.writeHead(200, { 'content-length': '99' }).write('{') && response.destroy(),
    ],
    ['an answer without end', (_request, response) => response.write('x'.repeat(100_000))],
  ])('%s is KeysUnavailable, before its time is over', async (_name, answer) => {
    controlled();
    await expect(fetchKeys(await serving(answer))).rejects.toThrow(KeysUnavailable);
  });

  test('nothing at all is KeysUnavailable after two seconds', async () => {
    const limit = controlled();
    await expect(fetchKeys(await serving(() => limit.end()))).rejects.toThrow(KeysUnavailable);
    expect(limit.asked.mock.calls).toEqual([[2_000]]);
  });

  test('no answer is KeysUnavailable', async () => {
    await expect(fetchKeys('http://127.0.0.1:1/jwks.json')).rejects.toThrow(KeysUnavailable);
  });
});
