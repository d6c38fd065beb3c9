import { expect, test } from 'vitest';
import { codeCount, newRecoveryCode, readRecoveryCode } from '../../functions/auth/rules/recovery-code.ts';

test('a code has ten characters out of 32, and none looks like another', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const codes = Array.from({ length: 25 }, (_, index) => newRecoveryCode(bytes.subarray(index * 10)));
  for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}$/);
  expect(new Set(codes.slice(0, 3).join('').replaceAll('-', '')).size).toBe(30);
  expect(codeCount).toBe(10);
});

test.each([
  ['AB3DE-FGH9K', 'AB3DEFGH9K'],
  [' ab3de fgh9k ', 'AB3DEFGH9K'],
  ['AB3DE\u2013FGH9K', 'AB3DEFGH9K'],
  ['AB3DE-FGH9', null],
  ['AB3DE-FGH9KA', null],
  ['AB3DE-FGH1O', null],
  ['', null],
])('%j is read as %j', (typed, code) => {
  expect(readRecoveryCode(typed)).toBe(code);
});
