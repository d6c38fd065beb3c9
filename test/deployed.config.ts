import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { defineConfig } from 'vitest/config';
import { options, slow } from './vitest.config.ts';

const domains = globSync('functions/*/index.ts', { cwd: options.root }).map((file) => basename(dirname(file)));
/** Of the other tests, those that wait for something: a busy machine can change what they find. */
const waiting = ['faults', 'hostile', 'local'];

/**
 * `npm run test:deployed`: the tests of every domain, on the very bundles that are deployed, and the tests that wait. CI runs them
 * beside two processes that each keep a core busy.
 */
export default defineConfig({
  test: {
    ...options,
    include: [...domains, ...waiting].map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: [slow, '**/node_modules/**'],
    // Stages that a test starts itself follow it, too.
    env: { AS_DEPLOYED: 'true' },
  },
});
