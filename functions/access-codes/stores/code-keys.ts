import * as keyed from '../../../lib/runtime/keyed.ts';

/**
 * What is made with the secret `AccessCodeKey`: the keyed hash by which a code is found, and what is kept sealed. Each has a key
 * of its own, derived from the secret.
 */

/** The id of a code: HMAC-SHA256, in hexadecimal. */
export function hashOf(secret: string, code: string): string {
  return keyed.keyedHash(secret, 'access-code hash', code);
}

/** @param place where it is kept: in another row it does not open */
export function seal(secret: string, text: string, place: string): string {
  return keyed.seal(secret, 'access-code seal', text, place);
}

/** @throws an Error for what was not sealed with this secret for this place */
export function unseal(secret: string, sealed: string, place: string): string {
  return keyed.unseal(secret, 'access-code seal', sealed, place);
}
