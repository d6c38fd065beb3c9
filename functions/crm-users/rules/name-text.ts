/** By which text a name is found: one spelling for all that people take for the same. Pure. */

/** Letters that Unicode does not take apart. A final sigma is the same letter as another. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

/** In characters of up to four bytes, within the 1,024 bytes of a sort key. */
const longest = 120;

/**
 * Without case, accents and punctuation. `ü`, `u` and `ue` are one, as each of them is typed for the first: an `e` after a, o or u
 * counts for nothing. A letter's form depends only on the letters before it, so the text of a beginning is the beginning of
 * the text.
 */
export function nameText(name: string): string {
  const plain = [...name.normalize('NFKD').toLowerCase().normalize('NFKD')]
    .filter((character) => !/\p{M}/u.test(character))
    .map((character) => letters[character] ?? character)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/(?<=[aou])e/g, '')
    .trimStart();
  return [...plain].slice(0, longest).join('').trimEnd();
}
