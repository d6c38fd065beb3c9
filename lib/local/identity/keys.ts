import { createHash, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JWK } from 'jose';
import { readOrMakeKey } from '../kept-file.ts';

/** One RSA key pair for each user pool, as Cognito has. */

export type SigningKey = {
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** A JSON Web Key, as in the pool's JWKS. */
  readonly jwk: JWK;
};

export type PoolKeys = {
  /** The key that signs new tokens. */
  readonly of: (poolId: string) => Promise<SigningKey>;
  /** All keys that verify tokens, also old tokens; newest first. */
  readonly published: (poolId: string) => Promise<SigningKey[]>;
  /** A new key from now on, until a restart: it is not kept in `dataDir`. */
  readonly rotate: (poolId: string) => void;
};

/** @param dataDir Where the keys are kept, so tokens stay valid after a restart; undefined keeps them in memory. */
export function openKeys(dataDir: string | undefined): PoolKeys {
  const keys = new Map<string, [Promise<SigningKey>, ...Promise<SigningKey>[]]>();
  const all = (poolId: string) => {
    const known = keys.get(poolId);
    if (known) return known;
    const file = dataDir && join(dataDir, 'identity', `${poolId}.pem`);
    const made: [Promise<SigningKey>] = [readOrMakeKey(file, generated).then(signingKey)];
    keys.set(poolId, made);
    return made;
  };
  return {
    of: (poolId) => all(poolId)[0],
    published: (poolId) => Promise.all(all(poolId)),
    rotate: (poolId) => void keys.set(poolId, [generated().then(signingKey), ...all(poolId)]),
  };
}

async function generated(): Promise<KeyObject> {
  return (await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })).privateKey;
}

function signingKey(privateKey: KeyObject): SigningKey {
  const { kty, n, e } = createPublicKey(privateKey).export({ format: 'jwk' });
  const kid = createHash('sha256').update(`${n}`).digest('base64');
  return { kid, privateKey, jwk: { kid, alg: 'RS256', use: 'sig', kty, n, e } };
}
