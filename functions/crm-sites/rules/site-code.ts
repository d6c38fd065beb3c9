/** The short code that a patient types to be with a site. Random and digits are arguments. Pure. */

/** Letters and digits that are not mistaken for each other, typed or spoken: no 0 O, 1 I L, 2 Z, 5 S, 8 B. */
export const codeAlphabet = 'ACDEFGHJKMNPQRTUVWXY34679';

const codeLength = 8;

/** @param pick a random whole number below the given one, each as likely */
export function newCode(pick: (below: number) => number): string {
  return Array.from({ length: codeLength }, () => codeAlphabet[pick(codeAlphabet.length)]).join('');
}
