import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { deployments } from '../functions/product.ts';
import { leftOut, missingIn, peopleFor, tokenCommandFor } from './smoke-stage.ts';

/** `npm run smoke`: the tests that speak nothing but HTTP, against the stage at `BASE_URL`. */

const { BASE_URL: base, BASE_URL_MEDINFO: medinfo } = process.env;
if (!base) throw new Error('BASE_URL is needed: the address of a deployed API, as in the README');

const root = fileURLToPath(new URL('..', import.meta.url));
const speaksHttp = (file: string) => readFileSync(`${root}/${file}`, 'utf8').includes("from '../api.ts'");

export default defineConfig(async () => {
  const sleepcare = base.replace(/\/$/, '');
  const bases = { sleepcare, medinfo: medinfo ?? new URL(deployments.medinfo.basePath, base).href };
  const tokenCommand = process.env.TOKEN_COMMAND ?? (await tokenCommandFor(sleepcare));
  if (tokenCommand !== undefined) process.env.TOKEN_COMMAND = tokenCommand;
  Object.assign(process.env, await peopleFor(sleepcare, process.env));
  const asked = { bases, tokenCommand, env: process.env };
  const missing = await missingIn(asked);
  if (missing.length > 0) {
    for (const line of missing) console.error(line);
    process.exit(1);
  }
  const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] }).filter(speaksHttp);
  const left = await leftOut(asked, files);
  for (const [file, reason] of left) console.log(`left out: ${file}: ${reason}`);
  return {
    test: {
      root,
      include: files.filter((file) => !left.has(file)),
      globalSetup: 'test/stage.ts',
      // A hundred requests a minute, and more than that to make: some tests wait for a minute or two.
      testTimeout: 300_000,
      maxWorkers: 1,
    },
  };
});
