import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { defineConfig } from 'vitest/config';
import { options, slow } from './vitest.config.ts';
import { waits } from './waiting.ts';

const domains = globSync('functions/*/index.ts', { cwd: options.root }).map((file) => basename(dirname(file)));
const ofDomains = globSync(`test/{${domains.join()}}/**/*.test.ts`, { cwd: options.root, exclude: [slow] }).toSorted();

/** What a busy machine can change: the tests that wait, and those of faults, of hostile requests and of the local stage. */
export const loaded = [
  ...ofDomains.filter((file) => waits(file)),
  ...['faults', 'hostile', 'local'].map((folder) => `test/${folder}/**/*.test.ts`),
];

/** The other tests of every domain. */
export const quiet = ofDomains.filter((file) => !loaded.includes(file));

const common = {
  ...options,
  exclude: [slow, '**/node_modules/**'],
  // Stages that a test starts itself follow it, too.
  env: { AS_DEPLOYED: 'true' },
};

/**
 * `npm run test:deployed`: the tests of every domain, of faults, of hostile requests and of the local stage, on the very bundles
 * that are deployed. CI runs the project `loaded` beside two processes that each keep a core busy.
 */
export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: 'quiet', include: quiet, sequence: { groupOrder: 0 } } },
      { test: { ...common, name: 'loaded', include: loaded, sequence: { groupOrder: 1 } } },
    ],
  },
});
