import fc from 'fast-check';
import { test } from 'vitest';
import { anyCase, expectSound } from './any-definition.ts';

test('for every definition and all answers: order does not matter, hidden items do not count, every number is in its range', () => {
  fc.assert(fc.property(anyCase, expectSound), { numRuns: 5_000 });
});
