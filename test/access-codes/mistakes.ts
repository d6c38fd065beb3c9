import { readCode } from '../../functions/access-codes/rules/code.ts';
import { base32 } from '../../lib/contract/typed-code.ts';

/** What differs from a code in one character or by a swap of two neighbours, and is taken for a code all the same. */
export function mistakesThatPass(code: string): string[] {
  const characters = [...code];
  const wrong = characters.flatMap((right, index) =>
    [...base32].filter((other) => other !== right).map((other) => characters.with(index, other).join('')),
  );
  const swapped = characters.slice(1).map((next, index) => {
    return characters
      .with(index, next)
      .with(index + 1, characters[index] ?? '')
      .join('');
  });
  return [...wrong, ...swapped.filter((other) => other !== code)].filter((typed) => readCode(typed) !== null);
}
