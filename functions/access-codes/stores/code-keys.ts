import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * What is made with the secret `AccessCodeKey`: the keyed hash by which a code is found, and what is kept sealed. Each has a key
 * of its own, derived from the secret.
 */

/** The id of a code: HMAC-SHA256, in hexadecimal. */
export function hashOf(secret: string, code: string): string {
  return createHmac('sha256', derived(secret, 'hash')).update(code).digest('hex');
}

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM. @param place where it is kept: in another row it does not open */
export function seal(secret: string, text: string, place: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', derived(secret, 'seal'), nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** @throws an Error for what was not sealed with this secret for this place */
export function unseal(secret: string, sealed: string, place: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const options = { authTagLength: tagBytes };
  const decipher = createDecipheriv('aes-256-gcm', derived(secret, 'seal'), bytes.subarray(0, nonceBytes), options);
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
}

function derived(secret: string, use: 'hash' | 'seal'): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `access-code ${use}`, 32));
}
