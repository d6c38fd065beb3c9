import { expect, test } from 'vitest';
import { isPure } from '../../lib/bundle/pure-rules.ts';

test.each([
  ['/work/functions/one/rules.ts', true],
  ['/work/functions/one/exports.ts', true],
  ['/work/functions/one-two/rules/a-rule.ts', true],
  ['/work/functions/one/stores/things.ts', false],
  ['/work/functions/one/handlers/rules.ts', false],
  ['/work/functions/one/index.ts', false],
  ['/work/lib/runtime/rules.ts', false],
])('%s has no effect when it is loaded: %s', (file, expected) => {
  expect(isPure(file)).toBe(expected);
});
