import { base32, separators } from '../../../lib/contract/typed-code.ts';

/** The code of a study, or an invitation: 20 random characters, 100 bits, in groups of five. Random is an argument. Pure. */

export const codeLength = 20;

/** @param random 20 bytes, of each of which five bits are taken: all characters are equally likely */
export function newCode(random: Uint8Array): string {
  return [...random.subarray(0, codeLength)].map((byte) => base32[byte % base32.length]).join('');
}

/** As it is shown to people: `ABCDE-FGHIJ-KLMNO-PQRST`. */
export function shownCode(code: string): string {
  return code.replace(/.{5}(?=.)/g, '$&-');
}

/** @returns the code in capitals without separators; null for what is none */
export function readCode(typed: string): string | null {
  const bare = typed.replace(separators, '');
  // Before it is made of capitals: more than the 26 letters become some of them.
  return /^[A-Za-z2-7]{20}$/.test(bare) ? bare.toUpperCase() : null;
}
