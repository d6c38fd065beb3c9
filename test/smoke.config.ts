import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `npm run smoke`: the tests that speak nothing but HTTP, against the stage at `BASE_URL`. */

if (!process.env.BASE_URL) throw new Error('BASE_URL is needed: the address of a deployed API, as in the README');

const root = fileURLToPath(new URL('..', import.meta.url));
const speaksHttp = (file: string) => readFileSync(`${root}/${file}`, 'utf8').includes("from '../api.ts'");

export default defineConfig({
  test: {
    root,
    include: globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] }).filter(speaksHttp),
    globalSetup: 'test/stage.ts',
    // A hundred requests a minute, and more than that to make: some tests wait for a minute or two.
    testTimeout: 300_000,
    maxWorkers: 1,
  },
});
