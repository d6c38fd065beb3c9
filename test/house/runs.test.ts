import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { loaded, quiet } from '../deployed.config.ts';
import { deepened } from '../slow.config.ts';
import { leftToDeployed, leftToSlow } from '../vitest.config.ts';

const root = join(import.meta.dirname, '..', '..');

test('CI tries each property as often as it says', () => {
  const asking = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] }).filter((file) =>
    /^import \{ runs \}/m.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(asking.sort()).toEqual(deepened);
});

test('what `npm test` leaves to CI is there, and CI runs it', () => {
  const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] });
  expect([...leftToDeployed, ...leftToSlow].filter((file) => !files.includes(file))).toEqual([]);
  const left = new Set([...leftToDeployed, ...leftToSlow]);
  const rest = files.filter((file) => !file.endsWith('.slow.test.ts') && !left.has(file));
  const folders = new Set(rest.map((file) => file.split('/')[1]));
  expect(leftToDeployed.filter((file) => !folders.has(file.split('/')[1]) && !/faults|hostile/.test(file))).toEqual([]);
  const included = [...quiet, ...loaded];
  expect(leftToDeployed.filter((file) => !included.some((pattern) => matchesGlob(file, pattern)))).toEqual([]);
});

test('the tests that wait are run beside busy processes', () => {
  expect(loaded).toEqual(
    expect.arrayContaining([
      'test/groups/messages.test.ts',
      'test/accounts/story.test.ts',
      'test/push/delivery.test.ts',
    ]),
  );
  expect(quiet.filter((file) => readFileSync(join(root, file), 'utf8').includes('eventually('))).toEqual([]);
  expect(quiet.length).toBeGreaterThan(100);
});
