import fc from 'fast-check';
import { test } from 'vitest';
import { anyCase, expectSound } from './any-definition.ts';

test('whatever is published and answered: no order, nothing hidden, no number out of its range', () => {
  fc.assert(fc.property(anyCase, expectSound), { numRuns: 5_000 });
});
