import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkCharacterOf } from '../../functions/access-codes/rules/check-character.ts';
import { newCode, ownPrefix, readCode } from '../../functions/access-codes/rules/code.ts';
import { mistakesThatPass } from './mistakes.ts';

const published = ['ZZAABCDEFGHIJKLT', 'ZZA234567ABCDEFP', 'QQAMNOPQRSTUVWXQ', '77AAAAAAAAAAAAAX'];

describe('the check character', () => {
  test.each(published)('%s is valid, as published', (code) => {
    expect(checkCharacterOf(code.slice(0, -1))).toBe(code.at(-1));
    expect(readCode(code)).toBe(code);
  });

  test.each(published)('each single wrong character and each swap of neighbours in %s is found', (code) => {
    expect(mistakesThatPass(code)).toEqual([]);
  });

  test('and in 200 random codes', () => {
    for (let made = 0; made < 200; made += 1) expect(mistakesThatPass(newCode(randomBytes(12)))).toEqual([]);
  });
});

test('a new code has our prefix, and each of the 32 characters is as likely in it', () => {
  const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const counts = Map.groupBy(newCode(everyByte).slice(ownPrefix.length, -1), (character) => character);
  expect(counts.size).toBe(32);
  for (const [, those] of counts) expect(those).toHaveLength(8);
  expect(newCode(new Uint8Array(12))).toMatch(new RegExp(`^${ownPrefix}A{12}[A-Z2-7]$`));
});

describe('reading what was typed', () => {
  const code = 'ZZAABCDEFGHIJKLT';
  test.each([
    ['in small letters', 'zzaabcdefghijklt'],
    ['in groups', 'ZZAA BCDE FGHI JKLT'],
    ['with hyphens', 'zzaa-bcde-fghi-jklt'],
    ['with dashes of a word processor', 'ZZAA\u2013BCDE\u2011FGHI\u2212JKLT'],
    ['with blanks around and within, of each kind', '\t ZZAA\u00a0BCDE\u2009FGHI\u3000JKLT\r\n'],
  ])('%s', (_case, typed) => {
    expect(readCode(typed)).toBe(code);
  });

  test.each([
    ['nothing', ''],
    ['only hyphens', '----'],
    ['a character too few', code.slice(1)],
    ['a character too many', `${code}A`],
    ['0, which is no O', 'ZZAABCDEFGHIJKL0'],
    ['1, which is no I', 'ZZAABCDEFGH1JKLT'],
    ['8, which is no B', 'ZZAA8CDEFGHIJKLT'],
    ['a wrong check character', 'ZZAABCDEFGHIJKLU'],
    ['a dotless i, which becomes an I in capitals', 'ZZAABCDEFGH\u0131JKLT'],
    ['a long s, which becomes an S in capitals', '\u017fZAABCDEFGHIJKLT'],
    ['wide letters', '\uff3aZAABCDEFGHIJKLT'],
    ['an underscore', 'ZZAA_BCDE_FGHI_JKLT'],
  ])('%s is mistyped', (_case, typed) => {
    expect(readCode(typed)).toBeNull();
  });

  test('200 characters of any kind are refused at once', () => {
    for (const character of ['-', ' ', 'A', '\ud83d\ude00']) expect(readCode(character.repeat(100))).toBeNull();
  });
});
