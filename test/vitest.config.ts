import { defineConfig } from 'vitest/config';
import { hangMs } from './hang.ts';

/** For CI only (`npm run test:slow`): `npm test` should take at most 100 s on two idle cores. */
export const slow = 'test/**/*.slow.test.ts';

/** One local stage serves all API tests; what needs a stage of its own starts it itself. */
export const options = {
  root: new URL('..', import.meta.url).pathname,
  globalSetup: 'test/stage.ts',
  // Both end what hangs, after `eventually` has said what it waited for. No test is about time.
  testTimeout: hangMs * 1.5,
  hookTimeout: hangMs * 1.5,
  // Nothing is patched and no file depends on another's modules, so that each is loaded once a worker: a quarter of the time.
  isolate: false,
  // Two cores, and many tests that mostly wait: for a time-out, a kept value to age, a process to start.
  maxWorkers: 4,
};

export default defineConfig({
  test: { ...options, include: ['test/**/*.test.ts'], exclude: [slow, '**/node_modules/**'] },
});
