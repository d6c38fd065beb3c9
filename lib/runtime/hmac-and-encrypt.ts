import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from '../contract/key-ring.ts';

/**
 * Keyed hashes and sealed texts, made with the first key of a secret's ring. Each begins with the id of its key, `<key id>.<value>`, so
 * that it is known while the ring has the key. Each use has a key of its own, derived from the ring's.
 */

const nonceBytes = 12;
const tagBytes = 16;

/** The ring does not have the key any more, or never had it. */
export class UnknownKey extends Error {
  override readonly name = 'UnknownKey';
}

/** Eight characters that follow from the key and tell nothing about it. */
export function keyIdOf(key: string): string {
  return derived(key, 'key id').toString('hex', 0, 4);
}

/** The id of the key with which the value was made. */
export function keyIdIn(value: string): string {
  return value.slice(0, value.indexOf('.'));
}

/**
 * HMAC-SHA256: `<key id>.<base64url>`, 52 characters.
 *
 * @param use the key's use, such as `access-code hash`: another use gives another hash
 */
export function keyedHash([key]: KeyRing, use: string, text: string): string {
  return hashed(key, use, text);
}

/** The hash under each known key, the one for new values first: a row with one of these names was written with a key that is known. */
export function keyedHashes([current, ...others]: KeyRing, use: string, text: string): [string, ...string[]] {
  return [hashed(current, use, text), ...others.map((key) => hashed(key, use, text))];
}

/** Whether it is the hash of the text, under whichever of the known keys. */
export function isKeyedHash(ring: KeyRing, use: string, text: string, hash: string): boolean {
  const key = keyNamed(ring, keyIdIn(hash));
  if (key === undefined) return false;
  const [a, b] = [Buffer.from(hashed(key, use, text)), Buffer.from(hash)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The ring with that one of its keys first. @throws an UnknownKey */
export function ringFrom(ring: KeyRing, keyId: string): KeyRing {
  const key = keyNamed(ring, keyId);
  if (key === undefined) throw new UnknownKey();
  return [key, ...ring.filter((other) => other !== key)];
}

/** A number of that many digits, derived from the text. Nobody can derive it without the secret. */
export function keyedDigits([key]: KeyRing, use: string, text: string, digits: number): string {
  const number = BigInt(`0x${mac(key, use, text).toString('hex')}`) % 10n ** BigInt(digits);
  return String(number).padStart(digits, '0');
}

/** AES-256-GCM: `<key id>.<base64url>`. @param place where the text is stored: moved to another row, it does not open */
export function seal([key]: KeyRing, use: string, text: string, place: string): string {
  return `${keyIdOf(key)}.${sealWith(key, use, text, place)}`;
}

/** @throws an UnknownKey; an Error for a text that was not sealed with this secret for this use and place */
export function unseal(ring: KeyRing, use: string, sealed: string, place: string): string {
  const id = keyIdIn(sealed);
  const [key] = ringFrom(ring, id);
  return unsealWith(key, use, sealed.slice(id.length + 1), place);
}

/** `seal` with one key, which needs no name. @returns base64url */
export function sealWith(key: string, use: string, text: string, place: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', derived(key, use), nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** @throws an Error for a text that was not sealed with this key for this use and place */
export function unsealWith(key: string, use: string, sealed: string, place: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  // Node's decoder skips characters that are not base64url, so another spelling would open.
  if (bytes.toString('base64url') !== sealed) throw new Error('not sealed here');
  const options = { authTagLength: tagBytes };
  const decipher = createDecipheriv('aes-256-gcm', derived(key, use), bytes.subarray(0, nonceBytes), options);
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
}

function keyNamed(ring: KeyRing, keyId: string): string | undefined {
  return ring.find((key) => keyIdOf(key) === keyId);
}

function hashed(key: string, use: string, text: string): string {
  return `${keyIdOf(key)}.${mac(key, use, text).toString('base64url')}`;
}

function mac(key: string, use: string, text: string): Buffer {
  return createHmac('sha256', derived(key, use)).update(text).digest();
}

function derived(key: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', use, 32));
}
