import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { signDigest } from '../../local/kms/ecdsa.ts';
import { type Act, text } from './state.ts';

/** KMS: keys that follow from their ARN. */

/** A key on P-256 for each ARN; the same in each run, since it follows from the ARN. */
const keys = new Map<string, KeyObject>();
const signatures = new Map<string, Buffer>();

function keyOf(arn: string): KeyObject {
  const known = keys.get(arn);
  if (known) return known;
  // PKCS #8 of a private key on P-256 (RFC 5915), without its public part, which OpenSSL computes.
  const d = createHash('sha256').update(arn).digest();
  const der = Buffer.concat([
    Buffer.from('3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420', 'hex'),
    d,
  ]);
  const made = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  keys.set(arn, made);
  return made;
}

export const kms: Record<string, Act> = {
  Sign: (_, input) => {
    const arn = text(input, 'KeyId');
    const given = Buffer.from(input.Message as Uint8Array);
    const digest = input.MessageType === 'DIGEST' ? given : createHash('sha256').update(given).digest();
    const name = `${arn} ${digest.toString('hex')}`;
    // The nonce is random, so a signature is kept: the same message has the same one in every schedule of a run.
    const known = signatures.get(name) ?? signDigest(digest, keyOf(arn));
    signatures.set(name, known);
    return { KeyId: arn, Signature: new Uint8Array(known), SigningAlgorithm: 'ECDSA_SHA_256' };
  },
  GetPublicKey: (_, input) => {
    const arn = text(input, 'KeyId');
    const PublicKey = new Uint8Array(createPublicKey(keyOf(arn)).export({ format: 'der', type: 'spki' }));
    return { KeyId: arn, PublicKey, KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' };
  },
};
