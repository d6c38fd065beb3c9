import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import * as keyed from '../../../lib/runtime/hmac-and-encrypt.ts';

/**
 * What is made with the secret `AccessCodeKey`: the keyed hash by which a code is found, and what is kept sealed. Each has a key
 * of its own, derived from the secret.
 */

const hashUse = 'access-code hash';

/** The id of a new code: HMAC-SHA256, with the id of its key. */
export function hashOf(secret: KeyRing, code: string): string {
  return keyed.keyedHash(secret, hashUse, code);
}

/** The ids that a code can have: it was issued with one of the known keys. */
export function hashesOf(secret: KeyRing, code: string): [string, ...string[]] {
  return keyed.keyedHashes(secret, hashUse, code);
}

/** @param place where it is kept: in another row it does not open */
export function seal(secret: KeyRing, text: string, place: string): string {
  return keyed.seal(secret, 'access-code seal', text, place);
}

/** @throws an Error for what was not sealed with this secret for this place */
export function unseal(secret: KeyRing, sealed: string, place: string): string {
  return keyed.unseal(secret, 'access-code seal', sealed, place);
}

/** The secret with the key first that sealed this: codes that are kept together have ids of one key. */
export function ringOf(secret: KeyRing, sealed: string): KeyRing {
  return keyed.ringFrom(secret, keyed.keyIdIn(sealed));
}
