import { expect, test } from 'vitest';
import { declarations } from '../../functions/domains.ts';
import { root } from '../../lib/bundle/root.ts';
import { nothingCovered, stand, withSeeds } from '../../lib/explore/explore.ts';
import { openPlatform } from '../../lib/explore/platform.ts';
import { openFindings, scenarios } from './scenarios.ts';

/** A number of seeds for each, never a time; seeds.slow.test.ts runs every scenario. */
const few = ['two-phones', 'guesses', 'two-administrators', 'one-phone'];

const platform = openPlatform(root, declarations, 'prod');

test.each(few)('no promise of %s breaks in 10 schedules', async (name) => {
  const scenario = scenarios.find((each) => each.name === name);
  if (!scenario) throw new Error(`there is no scenario ${name}`);
  expect(openFindings).not.toHaveProperty(name);
  const coverage = nothingCovered();
  const found = await withSeeds(
    await stand(platform, scenario),
    Array.from({ length: 10 }, (_, index) => index),
    coverage,
  );
  expect(found).toBeNull();
  expect(coverage.orders.size).toBeGreaterThan(1);
});
