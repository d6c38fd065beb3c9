import { expect, test } from 'vitest';
import { oneLine } from '../../bin/progress.ts';

test('a text that others wrote moves no cursor, and begins no line', () => {
  const planted = 'x\u001b[1000A\u001b[J…nothing is wrong\n\u009b2J\u202e#ä';
  expect(oneLine(planted)).toBe('x?[1000A?[J…nothing is wrong??2J?#ä');
});
