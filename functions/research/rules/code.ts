/** The code of a study, or an invitation: 20 random characters, 100 bits, in groups of five. Random is an argument. Pure. */

/** Neither 0 nor 1 nor 8, which are mistaken for O, I and B: 32 characters, of five bits each. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const codeLength = 20;

/** What phones and word processors make of a blank or a hyphen, too. */
const separators = /[\s\-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;

/** @param random 20 bytes, of each of which five bits are taken: all characters are equally likely */
export function newCode(random: Uint8Array): string {
  return [...random.subarray(0, codeLength)].map((byte) => alphabet[byte % alphabet.length]).join('');
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
