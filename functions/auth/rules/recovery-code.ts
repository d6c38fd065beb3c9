/** Codes for users who have lost the authenticator app. Pure. */

export const codeCount = 10;

/** No letter that looks like a digit: 32 characters, of ten of which a code is made, 50 bits. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 10;

/** @param random ten bytes, of each of which five bits are taken: all characters are equally likely */
export function newRecoveryCode(random: Uint8Array): string {
  const code = [...random.subarray(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}

/** @returns the code as it is hashed; null for what is none by its form */
export function readRecoveryCode(typed: string): string | null {
  const code = typed.replace(/[\s\-\u2010-\u2015\u2212]/g, '').toUpperCase();
  return code.length === length && [...code].every((each) => alphabet.includes(each)) ? code : null;
}
