import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newCode } from '../../functions/access-codes/rules/code.ts';
import { mistakesThatPass } from './mistakes.ts';

test('each single wrong character and each swap of neighbours in 10,000 random codes is found', () => {
  for (let made = 0; made < 10_000; made += 1) expect(mistakesThatPass(newCode(randomBytes(12)))).toEqual([]);
});
