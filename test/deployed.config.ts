import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { defineConfig } from 'vitest/config';
import { options, slow } from './vitest.config.ts';

const domains = globSync('functions/*/index.ts', { cwd: options.root }).map((file) => basename(dirname(file)));

/** The tests of every domain, of faults, of hostile requests and of the local stage. */
export const deployed = globSync(`test/{${[...domains, 'faults', 'hostile', 'local'].join()}}/**/*.test.ts`, {
  cwd: options.root,
  exclude: [slow],
}).toSorted();

/** `npm run test:deployed`: these tests on the very bundles that are deployed. */
export default defineConfig({
  test: {
    ...options,
    include: deployed,
    // Stages that a test starts itself follow it, too.
    env: { ...options.env, AS_DEPLOYED: 'true' },
  },
});
