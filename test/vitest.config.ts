import { defineConfig } from 'vitest/config';
import { hangMs } from './hang.ts';

// For workers, and for the commands that tests type: they load the CDK some fifty times.
process.env.NODE_COMPILE_CACHE ??= new URL('../.cache/compiled', import.meta.url).pathname;

/** For CI only (`npm run test:slow`): `npm test` should take at most 100 s on two idle cores. */
export const slow = 'test/**/*.slow.test.ts';

/** One local stage serves all API tests; what needs a stage of its own starts it itself. */
export const options = {
  root: new URL('..', import.meta.url).pathname,
  globalSetup: 'test/stage.ts',
  setupFiles: 'test/same-cases.ts',
  // Both end what hangs, after `eventually` has said what it waited for. No test is about time.
  testTimeout: hangMs * 1.5,
  hookTimeout: hangMs * 1.5,
  // The scan for personal data runs while the shared stage ends (test/stage.ts); after this time Vitest would skip it without a word.
  teardownTimeout: hangMs,
  // Nothing is patched and no file depends on another's modules, so that each is loaded once a worker: a quarter of the time.
  isolate: false,
  // Two cores, and many tests that mostly wait: for a time-out, a kept value to age, a process to start.
  maxWorkers: 4,
  // A slow machine changes no result: the stages wait ten times as long as on AWS (lib/local/patience.ts).
  env: { PATIENCE: '10' },
};

/**
 * The longest files. `npm run test:deployed` runs them in CI; `npm test` does, too, when a file or folder is named. Each domain
 * has other tests that `npm test` runs.
 */
export const leftToDeployed = [
  'test/access-codes/issue-codes.test.ts',
  'test/access-codes/lock.test.ts',
  'test/access-codes/redeem-access-code.test.ts',
  'test/access-log/relation-matrix.test.ts',
  'test/accounts/change-password.test.ts',
  'test/accounts/story.test.ts',
  'test/accounts/weak-passwords.test.ts',
  'test/agent-board/first-message.test.ts',
  'test/agent-board/list-messages.test.ts',
  'test/agent-board/marks.test.ts',
  'test/agent-board/one-message.test.ts',
  'test/agent-board/record-change.test.ts',
  'test/agreements/administration.test.ts',
  'test/app-version/app-version-policies.test.ts',
  'test/auth/ending-is-ending.test.ts',
  'test/auth/previous-session.test.ts',
  'test/auth/repeated-renewals.test.ts',
  'test/auth/sign-ins.test.ts',
  'test/consents/agree-to-versions.test.ts',
  'test/consents/consent-state.test.ts',
  'test/consents/import-consents.test.ts',
  'test/consents/new-version.test.ts',
  'test/consents/races.test.ts',
  'test/consents/record-change.test.ts',
  'test/crm-patients/endings.test.ts',
  'test/crm-patients/timeline.test.ts',
  'test/crm-sites/edit-workflows.test.ts',
  'test/crm-sites/own-sites.test.ts',
  'test/crm-sites/site-staff.test.ts',
  'test/crm-sites/workflows.test.ts',
  'test/devices/devices.test.ts',
  'test/devices/refused.test.ts',
  'test/faults/faults.test.ts',
  'test/groups/messages.test.ts',
  'test/hostile/fuzz.test.ts',
  'test/hostile/hostile.test.ts',
  'test/iam/matrix.test.ts',
  'test/idempotency/idempotency-key.test.ts',
  'test/learning/learning.test.ts',
  'test/ledger/checkpoints.test.ts',
  'test/ledger/dating.test.ts',
  'test/ledger/mutations.test.ts',
  'test/ledger/unreadable.test.ts',
  'test/local/stage/backend.test.ts',
  'test/mobile-settings/settings.test.ts',
  'test/push/delivery.test.ts',
  'test/push/send-test-push.test.ts',
  'test/questionnaire-responses/due.test.ts',
  'test/questionnaire-responses/flag-races.test.ts',
  'test/questionnaire-responses/flags-of-patient.test.ts',
  'test/questionnaire-responses/flags.test.ts',
  'test/questionnaire-responses/patient-responses.test.ts',
  'test/questionnaire-responses/remind.test.ts',
  'test/questionnaire-responses/responses.test.ts',
  'test/questionnaire-responses/schedule.test.ts',
  'test/questionnaire-responses/score-series.test.ts',
  'test/questionnaire-responses/unlocked.test.ts',
  'test/questionnaire-responses/versions.test.ts',
  'test/questionnaire-responses/window-schedule.test.ts',
  'test/receipts/receipts.test.ts',
  'test/research-exports/requests.test.ts',
  'test/research/own-studies.test.ts',
  'test/research/workflows.test.ts',
  'test/sleep/entries.test.ts',
  'test/statistics/model.test.ts',
  'test/support/tickets.test.ts',
  'test/support/urgent-tickets.test.ts',
  'test/support/workflows.test.ts',
  'test/time-machine/set-clock.test.ts',
  'test/users/update-profile.test.ts',
];

/** Left to `npm run test:slow` in the same way. */
export const leftToSlow = [
  'test/bundle/bundle.test.ts',
  'test/bundle/cold-start.test.ts',
  'test/bundle/require-builtins.test.ts',
  'test/architecture/rate-limit.test.ts',
  'test/runtime/sdk-same.test.ts',
  'test/stack/limits.test.ts',
  'test/stack/table-names.test.ts',
];

// After `vitest run --config test/vitest.config.ts`: what package.json has no part in.
const isNamed = process.argv.slice(5).some((argument) => !argument.startsWith('-'));

export default defineConfig({
  test: {
    ...options,
    include: ['test/**/*.test.ts'],
    exclude: [slow, '**/node_modules/**', ...(isNamed ? [] : [...leftToDeployed, ...leftToSlow])],
    env: { ...options.env, ENVIRONMENTS: '4' },
  },
});
