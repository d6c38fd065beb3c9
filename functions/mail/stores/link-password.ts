import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { keyedHash, keyIdIn, ringFrom } from '../../../lib/runtime/hmac-and-encrypt.ts';

/**
 * The temporary password of an account that a link opens. It follows from the link's token and its code, which follow from the secret and
 * the invitation. A function that exchanges it for a chosen password needs no right over passwords.
 *
 * @throws an UnknownKey where the token's key is gone
 */
export function linkPassword(
  secret: KeyRing,
  { token, code }: { readonly token: string; readonly code: string },
): string {
  // With each kind of character that a pool may ask for.
  return `Aa0-${keyedHash(ringFrom(secret, keyIdIn(token)), 'link password', `${token}#${code}`)}`;
}
