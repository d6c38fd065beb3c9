import { createHash, createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { lowered, type PublicJwk, signingInput, thumbprintOf } from './jws.ts';
import type { TrustedKeys } from './signed.ts';

/** Signatures by a key in KMS, which never leaves it. */

/** By client: other stages in the same process have other keys under the same ARN. */
const kept = new WeakMap<KMSClient, Map<string, Promise<PublicJwk>>>();

/** The public part of a key. Each function environment reads it once, since it never changes. */
export function publicKeyOf(client: KMSClient, keyArn: string): Promise<PublicJwk> {
  const ofClient = kept.get(client) ?? new Map<string, Promise<PublicJwk>>();
  kept.set(client, ofClient);
  const known = ofClient.get(keyArn);
  if (known) return known;
  const asked = client.send(new GetPublicKeyCommand({ KeyId: keyArn })).then(({ PublicKey }) => {
    if (!PublicKey) throw new Error('KMS gave no public key');
    return publicJwk(PublicKey);
  });
  ofClient.set(keyArn, asked);
  // A failed read is repeated at the next use.
  asked.catch(() => ofClient.delete(keyArn));
  return asked;
}

/** The same for several keys, by `kid`: the keys to trust when the caller continues from their statements. */
export async function publicKeysOf(client: KMSClient, keyArns: readonly string[]): Promise<TrustedKeys> {
  const keys = await Promise.all(keyArns.map((arn) => publicKeyOf(client, arn)));
  return new Map(keys.map((key) => [key.kid, key]));
}

/** @param spki SubjectPublicKeyInfo in DER, of a key on P-256 */
export function publicJwk(spki: Uint8Array): PublicJwk {
  const { x, y, crv } = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' }).export({
    format: 'jwk',
  });
  if (crv !== 'P-256' || !x || !y) throw new Error('the key is not on the curve P-256');
  return { kty: 'EC', crv, x, y, kid: thumbprintOf({ crv, x, y }), alg: 'ES256', use: 'sig' };
}

/**
 * @param typ the media type of the statement, without `application/` (RFC 7515 section 4.1.9), so that a signature over one
 * kind of statement is never accepted for another kind
 * @returns a compact JWS
 */
export async function signCompact(
  client: KMSClient,
  keyArn: string,
  payload: object,
  typ: `${string}+jwt`,
): Promise<string> {
  const { kid } = await publicKeyOf(client, keyArn);
  const input = signingInput({ alg: 'ES256', kid, typ }, payload);
  const signed = await client.send(
    new SignCommand({
      KeyId: keyArn,
      SigningAlgorithm: 'ECDSA_SHA_256',
      MessageType: 'DIGEST',
      Message: createHash('sha256').update(input).digest(),
    }),
  );
  if (!signed.Signature) throw new Error('KMS gave no signature');
  return `${input}.${rawSignature(signed.Signature).toString('base64url')}`;
}

const coordinateBytes = 32;

/**
 * Concatenates r and s (RFC 7518 section 3.4). KMS returns `SEQUENCE { INTEGER r, INTEGER s }` in DER; an integer has a
 * leading zero only where it must stay positive. On P-256 every length is a single byte.
 */
export function rawSignature(der: Uint8Array): Buffer {
  const bytes = Buffer.from(der);
  const integer = (at: number) => {
    const length = bytes[at + 1] ?? 0;
    const value = bytes.subarray(at + 2, at + 2 + length);
    if (bytes[at] !== 0x02 || value.length !== length || length > coordinateBytes + 1) {
      throw new Error('KMS gave a signature that is no DER of ECDSA on P-256');
    }
    return { value: value.subarray(Math.max(0, length - coordinateBytes)), next: at + 2 + length };
  };
  if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2)
    throw new Error('KMS gave a signature that is no DER sequence');
  const r = integer(2);
  const s = integer(r.next);
  const raw = Buffer.alloc(2 * coordinateBytes);
  r.value.copy(raw, coordinateBytes - r.value.length);
  s.value.copy(raw, 2 * coordinateBytes - s.value.length);
  return lowered(raw);
}
