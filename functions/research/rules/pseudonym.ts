import { createHmac } from 'node:crypto';

/**
 * Under which name a study's files know a participant. Each study has a key of its own, so that without the keys the files of
 * two studies have nothing in common. Pure.
 */

/** Of a study's key. */
export const keyBytes = 32;
export type StudyKey = { readonly studyId: string; readonly secret: Uint8Array };

/** Characters of a pseudonym, 4 bits each: two of a million participants are the same with a chance of 1 in 10^26. */
const pseudonymLength = 32;

/** @param key of the study, 32 random bytes; the first 128 bits of HMAC-SHA-256 in lower-case hexadecimal */
export function pseudonymOf(key: Uint8Array, userId: string): string {
  if (key.length !== keyBytes) throw new Error('this is not the key of a study');
  return createHmac('sha256', key).update(userId).digest('hex').slice(0, pseudonymLength);
}
