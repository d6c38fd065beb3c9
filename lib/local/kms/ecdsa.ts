import type { KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import type { p256 } from '@noble/curves/nist.js';

/** ECDSA on P-256 over a digest that was made elsewhere: Node's own `sign` always hashes once more, and KMS must sign a digest as it is. */

const asItIs = { prehash: false, lowS: false, format: 'der' } as const;

/** Loaded at its first use: a stage starts without it. */
function curve(): typeof p256 {
  return createRequire(import.meta.url)('@noble/curves/nist.js').p256;
}

/** @returns the signature as DER, another one each time, as KMS gives it */
export function signDigest(digest: Buffer, key: KeyObject): Buffer {
  return Buffer.from(curve().sign(digest, secretOf(key), { ...asItIs, extraEntropy: true }));
}

export function verifyDigest(digest: Buffer, signature: Buffer, key: KeyObject): boolean {
  try {
    return curve().verify(signature, digest, curve().getPublicKey(secretOf(key)), asItIs);
  } catch {
    // No DER.
    return false;
  }
}

function secretOf(key: KeyObject): Buffer {
  return Buffer.from(String(key.export({ format: 'jwk' }).d), 'base64url');
}
