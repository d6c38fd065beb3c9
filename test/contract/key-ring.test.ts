import { expect, test } from 'vitest';
import { keysByStep, mostKeys, NoKeyRing, readRing, ringText } from '../../lib/contract/key-ring.ts';

const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];

test.each([
  [`${a}`, [a], { current: a, next: null, old: [] }],
  [`${a} next:${b}`, [a, b], { current: a, next: b, old: [] }],
  [`${b} old:${a}`, [b, a], { current: b, next: null, old: [a] }],
  [`${b} next:${c} old:${a}`, [b, c, a], { current: b, next: c, old: [a] }],
  [`${c} old:${b} old:${a}`, [c, b, a], { current: c, next: null, old: [b, a] }],
])('%s is a ring', (text, all, steps) => {
  expect(readRing(text, 'S')).toEqual(all);
  expect(keysByStep(text, 'S')).toEqual(steps);
  expect(ringText(keysByStep(text, 'S'))).toBe(text);
});

test.each([
  ['nothing', ''],
  ['a blank', ' '],
  ['a short key', 'a'.repeat(31)],
  ['a long key', 'a'.repeat(129)],
  ['another character', `${'a'.repeat(63)}-`],
  ['a line break at the end', `${a}\n`],
  ['two blanks', `${a}  old:${b}`],
  ['no key first', `old:${a}`],
  ['a key that is neither', `${a} ${b}`],
  ['another word', `${a} new:${b}`],
  ['two next keys', `${a} next:${b} next:${c}`],
  ['the next key behind an old one', `${a} old:${b} next:${c}`],
  ['a key twice', `${a} old:${a}`],
  ['a JSON text', JSON.stringify({ k1: a })],
  ['too many keys', [a, ...Array.from({ length: mostKeys }, (_, n) => `old:${String(n).repeat(64)}`)].join(' ')],
])('%s is no ring, and the error does not show it', (_what, text) => {
  for (const read of [readRing, keysByStep]) {
    expect(() => read(text, 'SIGN_IN_KEY_SECRET')).toThrow(new NoKeyRing('SIGN_IN_KEY_SECRET is no ring of keys'));
  }
});
