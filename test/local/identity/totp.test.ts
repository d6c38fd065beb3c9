import { expect, test } from 'vitest';
import { codeAt, newSecret, stepAt, stepOf } from '../../../lib/local/identity/cognito/totp.ts';

/** RFC 6238, appendix B: the ASCII key 12345678901234567890, of whose eight digits the last six count here. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at %d seconds', (seconds, code) => {
  expect(codeAt(secret, stepAt(seconds * 1000))).toBe(code);
});

test('a code counts one step before and after its time, and names its step', () => {
  const now = 1_234_567_890_000;
  const step = stepAt(now);
  for (const near of [step - 1, step, step + 1]) expect(stepOf(secret, codeAt(secret, near), now)).toBe(near);
  for (const far of [step - 2, step + 2]) expect(stepOf(secret, codeAt(secret, far), now)).toBe(null);
  expect(stepOf(secret, '', now)).toBe(null);
});

test('a secret is 160 bits in base32, another each time', () => {
  expect(newSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newSecret()).not.toBe(newSecret());
});
