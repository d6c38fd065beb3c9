import { base32, separators } from '../../../lib/contract/typed-code.ts';
import { checkCharacterOf, codeLength } from './check-character.ts';

/** An access code: two characters for its issuer, one for the version, twelve random ones, one check character. */

/**
 * Of our own codes. No insurer may have it: the national associations of insurers publish their lists, and it must not be in them
 * (decision 35). What was issued under it stays valid only while it stands here.
 */
export const ownPrefix = 'XSA';

/** Of 32 characters each: 60 bits. */
export const randomLength = 12;

const form = new RegExp(`^[A-Za-z2-7]{${codeLength}}$`);

/** @returns the code in capitals without separators; null for what is none, with a wrong check character among it */
export function readCode(typed: string): string | null {
  const bare = typed.replace(separators, '');
  if (!form.test(bare)) return null;
  const code = bare.toUpperCase();
  return checkCharacterOf(code.slice(0, -1)) === code.at(-1) ? code : null;
}

/** @param random 12 bytes; five bits of each are used, so all characters are equally likely */
export function newCode(random: Uint8Array): string {
  const body = ownPrefix + [...random].map((byte) => base32[byte % base32.length]).join('');
  return body + checkCharacterOf(body);
}

export function isOwn(code: string): boolean {
  return code.startsWith(ownPrefix);
}
