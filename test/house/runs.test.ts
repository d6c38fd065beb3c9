import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deepened } from '../slow.config.ts';

const root = join(import.meta.dirname, '..', '..');

test('CI tries each property as often as it says', () => {
  const asking = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] }).filter((file) =>
    /^import \{ runs \}/m.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(asking.sort()).toEqual(deepened);
});
