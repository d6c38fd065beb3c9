/** Whether a password is made of few characters that repeat or are next to one another. Pure. */

/** The alphabet, the digits, and the rows of keyboards: US, German and French. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890ß',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  'qwertzuiopü+',
  'asdfghjklöä#',
  'yxcvbnm,.-',
  'azertyuiop',
  'qsdfghjklmù',
  'wxcvbn,;:!',
].flatMap((row) => [row, [...row].reverse().join('')]);

/** Shorter parts of a row, and shorter repetitions, are in good passwords, too. */
const shortest = 4;

/** What counts as little: a password of that many characters is guessed. */
const fewest = 10;

/** What may follow a repetition and changes nothing: `passwordpassword2026` */
const longestTail = 4;

/** @param text folded */
export function isPattern(text: string): boolean {
  const letters = text.replace(/[^\p{L}\p{N}]/gu, '');
  return isRepeated(text) || (letters.length >= 2 * shortest && isRepeated(letters)) || parts(text) < fewest;
}

/** True for one part over and over: at least twice, perhaps with a short tail. */
function isRepeated(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period += 1) {
    let end = period;
    while (end < text.length && text[end] === text[end - period]) end += 1;
    if (end >= Math.max(2 * period, text.length - longestTail)) return true;
  }
  return false;
}

/** The number of characters, where a repetition of what came before counts as one and a part of a row as two. */
function parts(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const repeated = longest(text, at, (part) => text.indexOf(part) < at);
    const inRow = longest(text, at, (part) => rows.some((row) => row.includes(part)));
    count += inRow > repeated ? 2 : 1;
    at += Math.max(inRow, repeated, 1);
  }
  return count;
}

/** The length of the longest part that begins there and is one; 0 if it would be too short. */
function longest(text: string, at: number, isOne: (part: string) => boolean): number {
  let length = shortest - 1;
  while (at + length < text.length && isOne(text.slice(at, at + length + 1))) length += 1;
  return length < shortest ? 0 : length;
}
