import {
  type Coverage,
  nothingCovered,
  type Stand,
  spreadFrom,
  stand,
  Violated,
  type Violation,
} from '../../lib/explore/explore.ts';
import type { Scenario } from '../../lib/explore/scenario.ts';
import type { Found } from './explored.ts';
import { firstFind, isOpen } from './finds.ts';
import { isReached, nearFirst, type Planted, soundStand } from './plant.ts';
import { openFindings } from './scenarios.ts';

/**
 * Explores a planted fault, round by round, until a promise breaks that holds without it.
 *
 * @param isOver asked between two scenarios
 * @returns null where none broke, or no scenario gets to the fault
 */
export async function judge(
  planted: Planted,
  scenarios: readonly Scenario[],
  isOver: (coverage: Coverage) => boolean,
): Promise<Found | null> {
  const began = performance.now();
  const coverage = nothingCovered();
  const { isNear, inOrder } = nearFirst(planted, scenarios);
  const stands = new Map<string, Stand>();
  const foundBy = ({ scenario, promise, taken }: Violation, seed: number | null): Found => ({
    scenario,
    seed,
    schedules: coverage.schedules,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    steps: taken.length,
    promise,
  });
  for (let [round, done] = [0, -1]; !isOver(coverage) && coverage.schedules > done; round += 1) {
    // A round without a schedule is the last: no scenario gets to the fault.
    done = coverage.schedules;
    for (const scenario of inOrder) {
      if (isOver(coverage)) break;
      const sound = await soundStand(scenario);
      if (!sound || !isReached(planted, sound)) continue;
      try {
        const stood = stands.get(scenario.name) ?? (await stand(planted.platform, scenario));
        stands.set(scenario.name, stood);
        const seeds = seedsOf(round, isNear(scenario) ? 100 : 30);
        const find = await firstFind({ planted: stood, sound }, seeds, coverage, openFindings);
        if (find) return foundBy(find.violation, find.seed);
      } catch (error) {
        if (!(error instanceof Violated)) throw error;
        if (!isOpen(openFindings, error.violation)) return foundBy(error.violation, null);
      }
    }
  }
  return null;
}

/** Both kinds of seeds in turn. */
function seedsOf(round: number, count: number): number[] {
  const first = Math.floor(round / 2) * count + (round % 2) * spreadFrom;
  return Array.from({ length: count }, (_, index) => first + index);
}
