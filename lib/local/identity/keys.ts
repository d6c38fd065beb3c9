import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** One RSA key pair for each user pool, as Cognito has. */

export type SigningKey = {
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** A JSON Web Key, as it stands in the pool's JWKS. */
  readonly jwk: Readonly<Record<string, unknown>>;
};

/** @param dataDir Where the keys are kept, so that tokens outlive a restart; undefined keeps them in memory. */
export function openKeys(dataDir: string | undefined): (poolId: string) => Promise<SigningKey> {
  const keys = new Map<string, Promise<SigningKey>>();
  return (poolId) => {
    const known = keys.get(poolId);
    if (known) return known;
    const file = dataDir && join(dataDir, 'identity', `${poolId}.pem`);
    const key = (file ? kept(file) : generated()).then(signingKey);
    keys.set(poolId, key);
    return key;
  };
}

async function kept(file: string): Promise<KeyObject> {
  try {
    return createPrivateKey(await readFile(file));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const key = await generated();
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(`${file}.${process.pid}`, key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await rename(`${file}.${process.pid}`, file);
  return key;
}

async function generated(): Promise<KeyObject> {
  return (await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })).privateKey;
}

function signingKey(privateKey: KeyObject): SigningKey {
  const { kty, n, e } = createPublicKey(privateKey).export({ format: 'jwk' });
  const kid = createHash('sha256').update(`${n}`).digest('base64');
  return { kid, privateKey, jwk: { kid, alg: 'RS256', use: 'sig', kty, n, e } };
}
