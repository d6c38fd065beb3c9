import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { JwtBaseError } from 'aws-jwt-verify/error';
import { assertIsJwks, findJwkInJwks, type Jwks, type JwksCache, type JwkWithKid } from 'aws-jwt-verify/jwk';

/** The pool's keys cannot be had: the service is unavailable, and no token is called wrong for it. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** The pool has no key of this id. */
export class UnknownKey extends JwtBaseError {
  override readonly name = 'UnknownKey';
}

type Needed = { header: { kid?: string | undefined } };

/**
 * The pool's keys, fetched when an id is not among the known ones: a rotated key counts at once, a known one for ever.
 * aws-jwt-verify's own cache locks all unknown ids out for ten seconds after one of them, so that anybody could keep a
 * rotated key from being seen. Here a flood of invented ids costs one fetch a second, shared by all that wait for it.
 *
 * @param load fetches the key set, whose address is this cache's own business
 * @param elapsed monotonic milliseconds
 */
export function keyCache(
  load: () => Promise<Jwks>,
  elapsed: () => number,
  pause: (ms: number) => Promise<unknown> = sleep,
): JwksCache {
  let keys: Jwks | undefined;
  let loading: Promise<Jwks> | undefined;
  let nextLoad = Number.NEGATIVE_INFINITY;

  function refresh(): Promise<Jwks> {
    loading ??= (async () => {
      await pause(Math.max(0, nextLoad - elapsed()));
      nextLoad = elapsed() + betweenLoadsMs;
      keys = await load();
      return keys;
    })().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  const known = (kid: string): JwkWithKid | undefined => keys && findJwkInJwks(keys, kid);

  return {
    async getJwk(_uri, { header }: Needed) {
      const kid = header.kid ?? '';
      const key = known(kid) ?? findJwkInJwks(await refresh(), kid);
      if (!key) throw new UnknownKey('the pool has no such key');
      return key;
    },
    getCachedJwk(_uri, { header }: Needed) {
      const key = known(header.kid ?? '');
      if (!key) throw new UnknownKey('the pool has no such key');
      return key;
    },
    addJwks(_uri, jwks) {
      keys = jwks;
    },
    getJwks: () => refresh(),
  };
}

const betweenLoadsMs = 1_000;
const loadMs = 2_000;
const maxBytes = 65_536;

/**
 * Fetches a key set over HTTPS, or over HTTP from the local stage.
 *
 * @throws KeysUnavailable for whatever goes wrong
 */
export function fetchKeys(address: string): Promise<Jwks> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new KeysUnavailable(`key set not fetched: ${reason}`));
    const get = address.startsWith('https:') ? getSecure : getPlain;
    const request = get(address, { signal: AbortSignal.timeout(loadMs) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > maxBytes) response.destroy();
      });
      response.on('close', () => {
        if (!response.complete || response.statusCode !== 200) return fail(`status ${response.statusCode}`);
        try {
          const keys = JSON.parse(text);
          assertIsJwks(keys);
          resolve(keys);
        } catch {
          fail('no key set');
        }
      });
    });
    request.on('error', ({ message }) => fail(message));
  });
}
