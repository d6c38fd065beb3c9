import { expect, test } from 'vitest';
import { hashOf, seal, unseal } from '../../functions/access-codes/stores/code-keys.ts';

const code = 'ZZAABCDEFGHIJKLT';

test('a code has one hash under one secret, and another one under another', () => {
  expect(hashOf(['s'], code)).toMatch(/^[0-9a-f]{8}\.[\w-]{43}$/);
  expect(hashOf(['s'], code)).toBe(hashOf(['s'], code));
  expect(new Set([hashOf(['s'], code), hashOf(['t'], code), hashOf(['s'], 'QQAMNOPQRSTUVWXQ')]).size).toBe(3);
});

test('what is sealed opens with the same secret in the same place, and is another text each time', () => {
  const sealed = seal(['s'], code, 'b#c00');
  expect(unseal(['s'], sealed, 'b#c00')).toBe(code);
  expect(seal(['s'], code, 'b#c00')).not.toBe(sealed);
  for (const open of [() => unseal(['t'], sealed, 'b#c00'), () => unseal(['s'], sealed, 'b#c01')])
    expect(open).toThrow();
  const other = sealed[30] === 'A' ? 'B' : 'A';
  expect(() => unseal(['s'], sealed.slice(0, 30) + other + sealed.slice(31), 'b#c00')).toThrow();
});
