import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';
import { JwtBaseError } from 'aws-jwt-verify/error';
import { assertIsJwks, findJwkInJwks, type Jwks, type JwksCache, type JwkWithKid } from 'aws-jwt-verify/jwk';
import { keySetMs } from './limits.ts';

/** The pool's keys cannot be fetched: the service is unavailable, and no token is called invalid because of it. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** The pool has no key with this id. */
export class UnknownKey extends JwtBaseError {
  override readonly name = 'UnknownKey';
}

type Needed = { header: { kid?: string | undefined } };

/**
 * Caches the pool's keys, and fetches them when an id is unknown: a rotated key counts at once, a known key for ever.
 * aws-jwt-verify's own cache refuses all unknown ids for ten seconds after one of them, so anybody could keep a rotated key
 * from being seen. Here a new unknown id is fetched at once, together with all ids that are asked for meanwhile. The same
 * unknown id is fetched again only after a second. So other callers' invented ids delay nobody by more than the running
 * fetch; the limit for each address bounds their number.
 *
 * @param load fetches the key set; the cache does not know its address
 * @param elapsed monotonic milliseconds
 */
export function keyCache(load: () => Promise<Jwks>, elapsed: () => number): JwksCache {
  let keys: Jwks | undefined;
  let loading: Promise<Jwks> | undefined;
  /** Ids that a fetch did not contain, with the time; oldest first. */
  const absent = new Map<string, number>();

  function refresh(): Promise<Jwks> {
    loading ??= (async () => {
      keys = await load();
      return keys;
    })().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  async function fetchFor(kid: string): Promise<JwkWithKid | undefined> {
    if (elapsed() - (absent.get(kid) ?? Number.NEGATIVE_INFINITY) < absentMs) return undefined;
    const wasUnderWay = loading !== undefined;
    const found = findJwkInJwks(await refresh(), kid);
    if (found) return found;
    // A running fetch may have been answered before the key existed.
    const again = wasUnderWay ? findJwkInJwks(await refresh(), kid) : undefined;
    if (!again) {
      absent.delete(kid);
      absent.set(kid, elapsed());
      for (const oldest of absent.size > mostAbsent ? [absent.keys().next().value ?? ''] : []) absent.delete(oldest);
    }
    return again;
  }

  const known = (kid: string): JwkWithKid | undefined => keys && findJwkInJwks(keys, kid);

  return {
    async getJwk(_uri, { header }: Needed) {
      const kid = header.kid ?? '';
      const key = known(kid) ?? (await fetchFor(kid));
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

const absentMs = 1_000;
const mostAbsent = 100;
const maxBytes = 65_536;

/**
 * Fetches a key set over HTTPS, or over HTTP from the local stage.
 *
 * @throws KeysUnavailable for every failure
 */
export function fetchKeys(address: string): Promise<Jwks> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: Error) =>
      reject(new KeysUnavailable(`key set not fetched: ${reason}`, { cause }));
    const get = address.startsWith('https:') ? getSecure : getPlain;
    const request = get(address, { signal: AbortSignal.timeout(keySetMs) }, (response) => {
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
    request.on('error', (error) => fail(error.message, error));
  });
}
