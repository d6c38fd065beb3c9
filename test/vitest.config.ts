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

/**
 * Left to `npm run test:deployed`, which CI runs, unless a file or folder is named: each takes 2 to 10 s of CPU, most of them for a
 * stage of its own, and its domain has other tests that `npm test` runs.
 */
export const leftToCI = [
  'test/agent-board/first-message.test.ts',
  'test/agreements/administration.test.ts',
  'test/consents/new-version.test.ts',
  'test/devices/devices.test.ts',
  'test/faults/faults.test.ts',
  'test/hostile/fuzz.test.ts',
  'test/hostile/hostile.test.ts',
  'test/push/delivery.test.ts',
  'test/push/send-test-push.test.ts',
  'test/time-machine/set-clock.test.ts',
];

// After `vitest run --config test/vitest.config.ts`: what package.json has no part in.
const isNamed = process.argv.slice(5).some((argument) => !argument.startsWith('-'));

export default defineConfig({
  test: {
    ...options,
    include: ['test/**/*.test.ts'],
    exclude: [slow, '**/node_modules/**', ...(isNamed ? [] : leftToCI)],
    env: { ENVIRONMENTS: '4' },
  },
});
