import { createHash } from 'node:crypto';
import { bits, probes, size } from './breached-generated.ts';

/** Whether a password is on the kept list of breached ones: a Bloom filter, which has no password in it that could be read. Pure. */

/** Upper and lower case, and the forms of a letter in Unicode, count as the same: guessers try them first. */
export function folded(password: string): string {
  return password.normalize('NFKC').toLowerCase();
}

/** The bits of a password in a filter of that size: double hashing, of two halves of one SHA-256. */
export function bitsOf(password: string, size: number, probes: number): number[] {
  const digest = createHash('sha256').update(folded(password)).digest();
  const [start, step] = [digest.readUInt32BE(0), digest.readUInt32BE(4)];
  return Array.from({ length: probes }, (_, index) => (start + index * step) % size);
}

/** Of 100,000 passwords that are not on the list about one is called breached, too. */
export function isBreached(password: string): boolean {
  // Decoded each time, in some microseconds: a function sets a password once in its life.
  const bytes = Buffer.from(bits, 'base64');
  return bitsOf(password, size, probes).every((bit) => ((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1);
}
