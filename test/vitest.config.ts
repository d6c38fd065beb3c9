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
 * The longest files. `npm run test:deployed` runs them in CI; `npm test` does, too, when a file or folder is named. Each domain
 * has other tests that `npm test` runs.
 */
export const leftToDeployed = [
  'test/access-codes/lock.test.ts',
  'test/accounts/story.test.ts',
  'test/agent-board/first-message.test.ts',
  'test/agent-board/list-messages.test.ts',
  'test/agent-board/marks.test.ts',
  'test/agent-board/one-message.test.ts',
  'test/agreements/administration.test.ts',
  'test/app-version/app-version-policies.test.ts',
  'test/consents/import-consents.test.ts',
  'test/consents/new-version.test.ts',
  'test/crm-patients/endings.test.ts',
  'test/crm-patients/timeline.test.ts',
  'test/crm-sites/workflows.test.ts',
  'test/devices/devices.test.ts',
  'test/faults/faults.test.ts',
  'test/groups/messages.test.ts',
  'test/hostile/fuzz.test.ts',
  'test/hostile/hostile.test.ts',
  'test/ledger/checkpoints.test.ts',
  'test/local/stage/backend.test.ts',
  'test/push/delivery.test.ts',
  'test/push/send-test-push.test.ts',
  'test/questionnaire-responses/due.test.ts',
  'test/questionnaire-responses/flag-races.test.ts',
  'test/questionnaire-responses/flags-of-patient.test.ts',
  'test/questionnaire-responses/flags.test.ts',
  'test/questionnaire-responses/patient-responses.test.ts',
  'test/questionnaire-responses/remind.test.ts',
  'test/questionnaire-responses/window-schedule.test.ts',
  'test/research/own-studies.test.ts',
  'test/research/workflows.test.ts',
  'test/support/urgent-tickets.test.ts',
  'test/support/workflows.test.ts',
  'test/time-machine/set-clock.test.ts',
];

/** Left to `npm run test:slow` in the same way. */
export const leftToSlow = [
  'test/bundle/bundle.test.ts',
  'test/bundle/chunks.test.ts',
  'test/house/rate-limit.test.ts',
  'test/runtime/sdk-same.test.ts',
];

// After `vitest run --config test/vitest.config.ts`: what package.json has no part in.
const isNamed = process.argv.slice(5).some((argument) => !argument.startsWith('-'));

export default defineConfig({
  test: {
    ...options,
    include: ['test/**/*.test.ts'],
    exclude: [slow, '**/node_modules/**', ...(isNamed ? [] : [...leftToDeployed, ...leftToSlow])],
    env: { ENVIRONMENTS: '4' },
  },
});
