import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Tokens that are really signed, right or wrong in one thing each. */

export type Signer = { kid: string; privateKey: KeyObject; jwk: Record<string, unknown> };

export function signer(kid: string): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
  return { kid, privateKey, jwk };
}

const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');

export function token(by: Signer, payload: Record<string, unknown>, header: Record<string, unknown> = {}): string {
  const head = { alg: 'RS256', kid: by.kid, ...header };
  const signed = `${encoded(head)}.${encoded(payload)}`;
  const hash = String(head.alg).replace(/^..(\d+)$/, 'sha$1');
  const signature = head.alg === 'none' ? Buffer.alloc(0) : sign(hash, Buffer.from(signed), by.privateKey);
  return `${signed}.${signature.toString('base64url')}`;
}
