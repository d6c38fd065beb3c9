import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { hangMs } from './hang.ts';
import { leftToSlow, options, slow } from './vitest.config.ts';

const root = options.root;

/** Whose properties `npm test` tries with the same cases each time, and a fifth as often (test/same-cases.ts, test/runs.ts). */
const deepened = globSync('test/**/*.test.ts', { cwd: root, exclude: [slow, '**/node_modules'] }).filter((file) =>
  /^import fc from 'fast-check'/m.test(readFileSync(join(root, file), 'utf8')),
);

/** What `npm run test:slow` runs. */
export const slowFiles: readonly string[] = [
  ...globSync(slow, { cwd: root, exclude: ['**/node_modules'] }),
  ...deepened,
  ...leftToSlow,
].toSorted();

/**
 * They keep both cores busy themselves: all bundles in one build, sixty functions that start at once, thousands of requests.
 * The walks need each function to read the set time in its first second (lib/runtime/clock.ts).
 */
export const filesThatRunAlone = [
  'test/bundle/bundle.slow.test.ts',
  'test/faults/faults.slow.test.ts',
  'test/faults/keys.slow.test.ts',
  'test/push/thousand-messages.slow.test.ts',
  'test/sleep/walks/ninety-days.slow.test.ts',
  'test/sleep/walks/safety.slow.test.ts',
];

const common = {
  ...options,
  testTimeout: hangMs * 3,
  // Four stages can start at once, and each makes its code.
  hookTimeout: hangMs * 3,
  env: { ...options.env, PROPERTY_RUNS: 'all', PROPERTY_SEED: 'any' },
};

/** `npm run test:slow`: what `npm test` leaves to CI. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'together',
          include: slowFiles.filter((file) => !filesThatRunAlone.includes(file)),
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'alone',
          include: filesThatRunAlone,
          exclude: ['**/node_modules/**'],
          maxWorkers: 1,
          // The thousand cases of test/faults mostly wait; each has its own user.
          maxConcurrency: 12,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
