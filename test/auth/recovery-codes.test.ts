import { expect, test } from 'vitest';
import { codeCount, newRecoveryCode, readRecoveryCode } from '../../functions/auth/rules/recovery-code.ts';

test('a code has 28 characters out of 32, 140 bits, and none looks like another', () => {
  const bytes = Uint8Array.from({ length: 280 }, (_, index) => index);
  const codes = Array.from({ length: 10 }, (_, index) => newRecoveryCode(bytes.subarray(index * 28)));
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){6}$/);
  expect(new Set(codes.slice(0, 2).join('').replaceAll('-', '')).size).toBe(32);
  expect(codeCount).toBe(10);
});

const read = 'AB3DJK45EFGH9K01MNPQRSTVWXYZ';

test.each([
  ['AB3D-JK45-EFGH-9K01-MNPQ-RSTV-WXYZ', read],
  [read, read],
  [' ab3d jk45 efgh 9k01 mnpq rstv wxyz ', read],
  ['AB3D\u2013JK45\u2013EFGH\u20139K01\u2013MNPQ\u2013RSTV\u2013WXYZ', read],
  // Letters that are in no code, for the digits that they look like.
  ['AB3D-JK45-EFGH-9KOI-MNPQ-RSTV-WXYZ', read],
  ['ab3d-jk45-efgh-9kol-mnpq-rstv-wxyz', read],
  ['AB3D-JK45-EFGH-9K01-MNPQ-RSTV-WXY', null],
  ['AB3D-JK45-EFGH-9K01-MNPQ-RSTV-WXYZ-A', null],
  ['AB3D-JK45-EFGH-9K01-MNPQ-RSTU-WXYZ', null],
  // In capitals it is an S.
  ['AB3D-JK45-EFGH-9K01-MNPQ-R\u017fTV-WXYZ', null],
  ['', null],
])('%j is read as %j', (typed, code) => {
  expect(readRecoveryCode(typed)).toBe(code);
});
