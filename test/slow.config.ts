import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hangMs } from './hang.ts';
import { leftToSlow, options, slow } from './vitest.config.ts';

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
 * They keep both cores busy themselves: all bundles in one build, sixty functions that start at once, thousands of requests.
 * The walks need each function to read the set time in its first second (lib/runtime/clock.ts).
 */
const alone = [
  'test/bundle/bundle.slow.test.ts',
  'test/faults/faults.slow.test.ts',
  'test/faults/keys.slow.test.ts',
  'test/push/thousand-messages.slow.test.ts',
  'test/sleep/walks/ninety-days.slow.test.ts',
  'test/sleep/walks/safety.slow.test.ts',
];

/** They take longest, so they are started first: what is left for the end is short, and keeps all workers busy. */
const longest = [
  'test/faults/shared-faults.slow.test.ts',
  'test/faults/accounts-hanging.slow.test.ts',
  'test/explorer/seeds.slow.test.ts',
  'test/house/smoke.slow.test.ts',
  'test/hostile/fuzz.slow.test.ts',
  'test/ledger/many.slow.test.ts',
  'test/iam/matrix.slow.test.ts',
  'test/bin/new-domain.slow.test.ts',
  'test/local/stage/watch.slow.test.ts',
  'test/erasure/closed-account.slow.test.ts',
  'test/research-exports/kills.slow.test.ts',
  'test/faults/accounts-throttled.slow.test.ts',
  'test/local/stage/process.slow.test.ts',
  'test/contract/examples.slow.test.ts',
  'test/bin/preflight.slow.test.ts',
  'test/stack/cli.slow.test.ts',
  'test/access-codes/many.slow.test.ts',
  'test/groups/thousand-members.slow.test.ts',
  'test/house/printed-commands.slow.test.ts',
  'test/bin/diff.slow.test.ts',
  'test/capacity/units.slow.test.ts',
  'test/stack/room.slow.test.ts',
  'test/faults/mails.slow.test.ts',
  'test/personal-exports/large.slow.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

const common = {
  ...options,
  testTimeout: hangMs * 3,
  // Four stages can start at once, and each makes its code.
  hookTimeout: hangMs * 3,
  env: { ...options.env, PROPERTY_RUNS: 'all' },
};

/** `npm run test:slow`: what `npm test` leaves to CI. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'together',
          include: [slow, ...deepened, ...leftToSlow],
          exclude: [...alone, '**/node_modules/**'],
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'alone',
          include: alone,
          exclude: ['**/node_modules/**'],
          maxWorkers: 1,
          // The thousand cases of test/faults mostly wait; each has its own user.
          maxConcurrency: 12,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
