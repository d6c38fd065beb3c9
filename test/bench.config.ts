import { defineConfig } from 'vitest/config';
import { options } from './vitest.config.ts';

/** For `npm run bench`: what it measures with the hostile requests of the tests, on their local stage. */
export default defineConfig({
  test: { ...options, include: ['test/bench/measure-answers.ts'], testTimeout: 600_000, maxWorkers: 1, env: {} },
});
