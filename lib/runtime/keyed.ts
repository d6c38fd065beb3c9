import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Keyed hashes and sealed texts, made with a secret of the environment. Each use has its own key. */

const nonceBytes = 12;
const tagBytes = 16;

/** HMAC-SHA256, in hexadecimal. @param use the key's use, such as `access-code hash`: another use gives another hash */
export function keyedHash(secret: string, use: string, text: string): string {
  return createHmac('sha256', derived(secret, use)).update(text).digest('hex');
}

/** A number of that many digits, derived from the text. Nobody can derive it without the secret. */
export function keyedDigits(secret: string, use: string, text: string, digits: number): string {
  const number = BigInt(`0x${keyedHash(secret, use, text)}`) % 10n ** BigInt(digits);
  return String(number).padStart(digits, '0');
}

/** AES-256-GCM. @param place where the text is stored: moved to another row, it does not open */
export function seal(secret: string, use: string, text: string, place: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', derived(secret, use), nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** @throws an Error for a text that was not sealed with this secret for this use and place */
export function unseal(secret: string, use: string, sealed: string, place: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const options = { authTagLength: tagBytes };
  const decipher = createDecipheriv('aes-256-gcm', derived(secret, use), bytes.subarray(0, nonceBytes), options);
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
}

function derived(secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', use, 32));
}
