import { parseArgs } from 'node:util';
import { declarations } from '../../functions/domains.ts';
import { root } from '../../lib/bundle/root.ts';
import {
  allWithin,
  depth,
  nothingCovered,
  pairsIn,
  shrunk,
  stand,
  Violated,
  withSeeds,
} from '../../lib/explore/explore.ts';
import { openPlatform } from '../../lib/explore/platform.ts';
import type { Scenario } from '../../lib/explore/scenario.ts';
import { scenarios } from './scenarios.ts';
import { tableOf } from './table.ts';

/**
 * `npm run explore -- --scenario two-phones --seed 4711` tells the story of one schedule that breaks a promise, by the fewest
 * steps. `--schedules 5000` runs so many seeds, `--exhaustive` every order within the scenario's bounds, `--all` every scenario.
 * `--seed random` begins anywhere. `--table` prints the rows of docs/reliability.md.
 */
const { values } = parseArgs({
  options: {
    scenario: { type: 'string', multiple: true },
    all: { type: 'boolean', default: false },
    seed: { type: 'string' },
    schedules: { type: 'string' },
    table: { type: 'boolean', default: false },
    exhaustive: { type: 'boolean', default: false },
  },
});

if (values.table) {
  console.log(tableOf(scenarios).join('\n'));
  process.exit(0);
}
const wanted = values.all ? scenarios : scenarios.filter(({ name }) => values.scenario?.includes(name));
if (wanted.length === 0) {
  console.error(`name a scenario, or --all: ${scenarios.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const platform = openPlatform(root, declarations, 'prod');
const first = values.seed === 'random' ? Math.floor(Math.random() * 1e9) : Number(values.seed ?? 1);
const count = Number(values.schedules ?? (values.seed && values.seed !== 'random' ? 1 : 5000));
let isBroken = false;
for (const scenario of wanted) isBroken = (await explored(scenario)) || isBroken;
process.exit(isBroken ? 1 : 0);

/** @returns whether a promise was broken */
async function explored(scenario: Scenario): Promise<boolean> {
  const began = performance.now();
  const coverage = nothingCovered();
  try {
    const stood = await stand(platform, scenario);
    if (values.exhaustive) {
      const { isComplete, states, violation } = await allWithin(stood, coverage);
      if (violation) throw new Violated(await shrunk(platform, scenario, stood.state, violation));
      console.log(
        `${scenario.name}: ${isComplete ? 'exhaustive' : 'not exhausted'} (${states} states, ${(scenario.exhaustive ?? { faults: 0 }).faults} faults)`,
      );
    } else {
      const seeds = Array.from({ length: count }, (_, index) => first + index);
      const found = await withSeeds(stood, seeds, coverage);
      if (found) {
        console.log(`${scenario.name}: seed ${found.seed}`);
        throw new Violated(await shrunk(platform, scenario, stood.state, found.violation));
      }
    }
    const seconds = (performance.now() - began) / 1000;
    const { both, all } = pairsIn(coverage);
    console.log(
      `${scenario.name}: ${coverage.schedules} schedules (${coverage.orders.size} orders of conflicting calls), ` +
        `${(coverage.schedules / seconds).toFixed(0)} a second; ${both} of ${all} pairs of calls in both orders; ` +
        `priorities reach depth ${depth} at some ${stood.steps} steps`,
    );
    return false;
  } catch (error) {
    if (!(error instanceof Violated)) throw error;
    const { promise, reason, story } = error.violation;
    console.log(
      `${scenario.name} breaks: ${promise}\n${reason}\n\n${story.map((line, index) => `${String(index + 1).padStart(4)}  ${line}`).join('\n')}`,
    );
    return true;
  }
}
