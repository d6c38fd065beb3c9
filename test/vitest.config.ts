import { defineConfig } from 'vitest/config';

/** One local stage serves all API tests; what needs a stage of its own starts it itself. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/stage.ts',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Two cores: the stage and its functions need one of them.
    maxWorkers: 2,
  },
});
