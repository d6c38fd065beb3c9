import { drawnBy, policyOf, spreadFrom, stand, Violated } from '../../lib/explore/explore.ts';
import { runOnce } from '../../lib/explore/run.ts';
import type { Scenario } from '../../lib/explore/scenario.ts';
import { isOpen, type OpenFindings } from './finds.ts';
import { isReached, nearFirst, type Planted, soundStand } from './plant.ts';

/** Which promises a planted fault breaks, in every scenario that stands on the fault's files. */

const count = 40;
/** Both kinds of seeds. */
const seeds = Array.from({ length: count }, (_, index) => (index % 2) * spreadFrom + index);

/** @returns by scenario @param most seconds for this fault; scenarios of its domain come first */
export async function brokenBy(
  planted: Planted,
  scenarios: readonly Scenario[],
  open: OpenFindings,
  most: number,
): Promise<Map<string, ReadonlySet<string>>> {
  const until = performance.now() + most * 1000;
  const found = new Map<string, ReadonlySet<string>>();
  for (const scenario of nearFirst(planted, scenarios).inOrder) {
    if (performance.now() >= until) break;
    const own = await soundStand(scenario);
    if (!own || !isReached(planted, own)) continue;
    const broken = await promisesBroken(planted, scenario, own.steps);
    const counted = [...broken].filter(
      (promise) => promise in scenario.invariants && !isOpen(open, { scenario: scenario.name, promise }),
    );
    if (counted.length > 0) found.set(scenario.name, new Set(counted));
  }
  return found;
}

async function promisesBroken({ platform }: Planted, scenario: Scenario, steps: number): Promise<ReadonlySet<string>> {
  try {
    const { state } = await stand(platform, scenario);
    const broken = new Set<string>();
    for (const seed of seeds) {
      const { violation } = await runOnce(platform, drawnBy(scenario, seed), state, policyOf(scenario, seed, steps), {
        broken,
      });
      if (violation) broken.add(violation.promise);
    }
    return broken;
  } catch (error) {
    // A set-up that fails breaks no promise.
    return new Set(error instanceof Violated ? [error.violation.promise] : []);
  }
}
