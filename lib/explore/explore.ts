import { type Explored, exhaustively } from './exhaustive.ts';
import type { Platform, State } from './ground.ts';
import { initialState } from './platform.ts';
import { type Policy, prioritized, randomWalk, spread } from './policies.ts';
import { randomOf } from './random.ts';
import { runOnce, shrunk, type Violation } from './run.ts';
import type { Scenario } from './scenario.ts';

/** Many schedules of one scenario. */

export type Coverage = {
  /** Schedules by the partial order of their calls that conflict. */
  readonly orders: Set<number>;
  /** `a|b`: two calls of different actors that conflict, seen in this order. */
  readonly pairs: Set<string>;
  schedules: number;
  steps: number;
};

export function nothingCovered(): Coverage {
  return { orders: new Set(), pairs: new Set(), schedules: 0, steps: 0 };
}

/** Pairs of calls that were seen in both orders, and all that were seen. */
export function pairsIn({ pairs }: Coverage): { readonly both: number; readonly all: number } {
  const unordered = new Set([...pairs].map((pair) => pair.split('|').sort().join('|')));
  const both = [...unordered].filter((pair) => {
    const [one, other] = pair.split('|');
    return one === other || (pairs.has(`${one}|${other}`) && pairs.has(`${other}|${one}`));
  });
  return { both: both.length, all: unordered.size };
}

/** The depth of the bugs for which the priorities' bound is stated. */
export const depth = 3;

/** From this seed on the faults are spread over the schedule, and not at a rate. */
export const spreadFrom = 10_000;

/** The scenario as a seed draws its workload. */
export function drawnBy(scenario: Scenario, seed: number): Scenario {
  const { drawn, name } = scenario;
  return drawn ? { ...scenario, clients: drawn(randomOf(`workload ${name} ${seed}`)) } : scenario;
}

/** Every second schedule is a random walk, the others follow priorities. */
export function policyOf(scenario: Scenario, seed: number, steps: number): Policy {
  const text = `${scenario.name} ${seed}`;
  const faultiness = seed < spreadFrom ? undefined : spread(steps);
  return seed % 2 === 0 ? randomWalk(text, faultiness) : prioritized(text, { depth, steps }, faultiness);
}

export type Stand = {
  readonly platform: Platform;
  readonly scenario: Scenario;
  readonly state: State;
  readonly steps: number;
  /** The files of the functions that ran without a fault. */
  readonly invoked: ReadonlySet<string>;
};

/** Runs the set-up and one schedule without a fault, whose steps are the measure for change points. */
export async function stand(platform: Platform, scenario: Scenario): Promise<Stand> {
  const state = await initialState(platform, scenario);
  const { steps, invoked, violation } = await runOnce(platform, scenario, state, randomWalk('measure'), { faults: 0 });
  if (violation) throw new Violated(violation);
  return { platform, scenario, state, steps, invoked };
}

/** A promise is broken without any fault already. */
export class Violated extends Error {
  readonly violation: Violation;

  constructor(violation: Violation) {
    super(`${violation.scenario}: ${violation.promise}: ${violation.reason}`);
    this.violation = violation;
  }
}

/** @returns the first violation, as it was found, and the seed that shows it */
export async function withSeeds(
  { platform, scenario, state, steps }: Stand,
  seeds: Iterable<number>,
  coverage: Coverage,
): Promise<{ readonly violation: Violation; readonly seed: number } | null> {
  for (const seed of seeds) {
    const ran = await runOnce(platform, drawnBy(scenario, seed), state, policyOf(scenario, seed, steps), {
      pairs: coverage.pairs,
    });
    coverage.schedules += 1;
    coverage.steps += ran.steps;
    coverage.orders.add(ran.order);
    if (ran.violation) return { violation: ran.violation, seed };
  }
  return null;
}

export async function allWithin({ platform, scenario, state }: Stand, coverage: Coverage): Promise<Explored> {
  const bounds = scenario.exhaustive ?? { faults: 0, most: 20_000 };
  const explored = await exhaustively(platform, scenario, state, bounds, coverage);
  coverage.schedules += explored.schedules;
  coverage.steps += explored.steps;
  return explored;
}

export { shrunk, type Violation };
