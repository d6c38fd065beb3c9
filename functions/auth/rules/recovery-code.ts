import { separators } from '../../../lib/contract/typed-code.ts';

/** Codes for users who have lost the authenticator app: 28 random characters, 140 bits, in groups of four. Random is an argument. Pure. */

export const codeCount = 10;

/** The hashes of the codes that are left: DynamoDB has no empty set. */
export type UnusedCodes = { readonly userId: string; readonly hashes?: ReadonlySet<string>; readonly issuedAt: string };

/** Crockford's base32: no I, L, O or U. Each of the 32 characters has five bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const codeLength = 28;

/** @param random 28 bytes, of each of which five bits are taken: all characters are equally likely @returns `AB3D-EFGH-…` */
export function newRecoveryCode(random: Uint8Array): string {
  const code = [...random.subarray(0, codeLength)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return code.replace(/.{4}(?=.)/g, '$&-');
}

/** @returns the code as it is hashed, with digits for the letters that look like them; null for what is none by its form */
export function readRecoveryCode(typed: string): string | null {
  const bare = typed.replace(separators, '');
  // First: `toUpperCase` turns other characters, such as ſ, into these letters, too.
  if (!/^[0-9A-Za-z]+$/.test(bare)) return null;
  const code = bare.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  return code.length === codeLength && [...code].every((each) => alphabet.includes(each)) ? code : null;
}
