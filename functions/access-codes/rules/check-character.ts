import { base32 } from '../../../lib/contract/typed-code.ts';

/**
 * The check character of a code, Base32Check1, as German insurers' codes have it. Characters are vectors of five bits; the sum
 * of each times a power of a matrix finds every single wrong character and every swap of two neighbours.
 */

/** Characters of a code, the check character included. */
export const codeLength = 16;

/** From top to bottom. */
const rows = [0b00001, 0b10001, 0b01000, 0b00101, 0b00011];

/** A row vector times the matrix, modulo 2. */
function times(vector: number): number {
  return rows.reduce((sum, row, index) => (vector & (0b10000 >> index) ? sum ^ row : sum), 0);
}

/** By its number, what a check character adds at its place: itself times the matrix to the 16th. */
const checks = Array.from({ length: base32.length }, (_, vector) => {
  let product = vector;
  for (let power = 0; power < codeLength; power += 1) product = times(product);
  return product;
});

/** @param body the 15 characters before it */
export function checkCharacterOf(body: string): string {
  let sum = 0;
  for (const character of [...body].toReversed()) sum = times(sum ^ base32.indexOf(character));
  return base32[checks.indexOf(sum)] ?? '';
}
