import { expect, test } from 'vitest';
import { declarations } from '../../functions/domains.ts';
import { root } from '../../lib/bundle/root.ts';
import { policyOf, stand } from '../../lib/explore/explore.ts';
import { openPlatform } from '../../lib/explore/platform.ts';
import { runOnce, shrunk } from '../../lib/explore/run.ts';
import type { Call, Scenario } from '../../lib/explore/scenario.ts';
import { twoPhones } from '../consents/explored/two-phones.ts';
import { replayed } from './replay.ts';

/** A story of the explorer, step by step on the real stage: processes, HTTP. */

const promise = 'nobody decides twice';
/** Two decisions at once break it, which is no defect: it only makes a story. */
const strict: Scenario = {
  ...twoPhones,
  faults: { most: 0 },
  invariants: {
    [promise]: ({ calls }) => {
      const made = calls.filter(({ answer }) => answer.status === 200);
      const isBeside = (one: Call) => (other: Call) =>
        one.client !== other.client && one.begun < other.ended && other.begun < one.ended;
      if (made.some((one) => made.some(isBeside(one)))) throw new Error('two decisions at once');
    },
  },
};

test('the story of a broken promise is the same on the stage', { timeout: 120_000 }, async () => {
  const platform = openPlatform(root, declarations, 'prod');
  const stood = await stand(platform, twoPhones);
  for (let seed = 1; seed < 200; seed += 1) {
    const { violation } = await runOnce(platform, strict, stood.state, policyOf(strict, seed, stood.steps));
    if (!violation) continue;
    const story = await shrunk(platform, strict, stood.state, violation);
    expect(await replayed(strict, story)).toBe('two decisions at once');
    // The same steps, and a promise that holds: the stage judges by its own rows.
    expect(await replayed(twoPhones, { ...story, promise: 'the pointer shows the last record' })).toBeNull();
    return;
  }
  expect.fail('no story was found');
});
