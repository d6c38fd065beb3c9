import { defineConfig } from 'vitest/config';
import { hangMs } from './hang.ts';
import { options, slow } from './vitest.config.ts';

/** Whose properties `npm test` tries a fifth as often (test/runs.ts). */
export const deepened = [
  'test/agent-board/marks.test.ts',
  'test/agent-board/model.test.ts',
  'test/consents/model.test.ts',
  'test/consents/record-changes.test.ts',
  'test/erasure/model.test.ts',
  'test/stack/snapshots/snapshots.test.ts',
  'test/statistics/model.test.ts',
];

/**
 * `npm run test:slow`: what `npm test` leaves to CI. One file at a time: each has the machine to itself, and does more
 * before it waits.
 */
export default defineConfig({
  test: {
    ...options,
    include: [slow, ...deepened],
    exclude: ['**/node_modules/**'],
    testTimeout: hangMs * 3,
    maxWorkers: 1,
    env: { PROPERTY_RUNS: 'all' },
  },
});
