import type { Taken } from './choices.ts';
import type { Platform, State, WorldOptions } from './ground.ts';
import { clientsAtOnce } from './platform.ts';
import type { Policy } from './policies.ts';
import { guided } from './policies.ts';
import type { End, Invariant, Scenario } from './scenario.ts';
import { World } from './world.ts';

/** One schedule from its start to its verdict, and the shrinking of one that broke a promise. */

export type Violation = {
  readonly scenario: string;
  /** The promise that did not hold. */
  readonly promise: string;
  readonly reason: string;
  /** The decisions that lead to it. */
  readonly taken: readonly Taken[];
  /** Every step, also those that follow from the decisions; only of a shrunk one. */
  readonly steps?: readonly Taken[];
  readonly story: readonly string[];
  readonly logs: readonly string[];
};

export type Ran = {
  readonly steps: number;
  /** The same for schedules with the same partial order of calls that conflict. */
  readonly order: number;
  /** The files of the functions that ran. */
  readonly invoked: ReadonlySet<string>;
  readonly violation: Violation | null;
};

/** What holds in every scenario. */
export const always: Readonly<Record<string, Invariant>> = {
  'no answer is an internal error': ({ calls }) => {
    const found = calls.find(({ answer }) => answer.status === 500);
    if (found) throw new Error(`${found.client} got 500 for ${found.operation}`);
  },
  'nothing is given up': ({ deadLetters }) => {
    const [first] = deadLetters;
    if (first) throw new Error(`${first.from} gave up ${first.body.slice(0, 300)}`);
  },
  'what a condition is on, is as its writer has seen it': ({ unseen }) => {
    if (unseen.length > 0) throw new Error(unseen.join(', '));
  },
};

export async function runOnce(
  platform: Platform,
  scenario: Scenario,
  state: State,
  policy: Policy,
  options: WorldOptions = {},
): Promise<Ran> {
  // The stacks of errors that functions expect are a tenth of the time.
  const { stackTraceLimit } = Error;
  if (!options.hasStory) Error.stackTraceLimit = 0;
  const world = new World(platform, scenario, state, options);
  const { invoked, ground } = world;
  let promise = 'the story comes to rest, and no client meets what it does not expect';
  try {
    world.begin();
    await world.drained();
    for (;;) {
      const choices = world.choices();
      if (choices.length === 0) break;
      const next = policy(choices, world);
      if (!next) break;
      const [choice, outcome] = next;
      await world.take(choice, outcome);
      if (choice.kind === 'end') break;
    }
    const { steps } = ground;
    const order = world.order.hash;
    if (options.isCut?.()) return { steps, order, invoked, violation: null };
    await world.rest();
    const end: End = { ...world.end(), client: clientsAtOnce(platform, world) };
    // A promise of its own says more than one of all.
    for (const [name, holds] of Object.entries({ ...scenario.invariants, ...always })) {
      promise = name;
      const judged = async () => holds(end);
      await (options.broken ? judged().catch(() => options.broken?.add(name)) : judged());
    }
    return { steps, order, invoked, violation: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const violation = {
      scenario: scenario.name,
      promise,
      reason,
      taken: world.taken,
      story: ground.story,
      logs: ground.logs,
    };
    return { steps: ground.steps, order: world.order.hash, invoked, violation };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Leaves out decisions as long as the same promise breaks: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing
 * input" (2002).
 *
 * @returns the same violation by fewer steps, with its story
 */
export async function shrunk(
  platform: Platform,
  scenario: Scenario,
  state: State,
  violation: Violation,
): Promise<Violation> {
  const breaks = async (taken: readonly Taken[]): Promise<Violation | null> => {
    const { violation: found } = await runOnce(platform, scenario, state, guided(taken));
    return found?.promise === violation.promise ? found : null;
  };
  let kept = violation.taken;
  if (!(await breaks(kept))) return violation;
  for (let size = Math.ceil(kept.length / 2); size >= 1; ) {
    let isLess = false;
    for (let from = 0; from < kept.length; ) {
      const fewer = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (await breaks(fewer)) {
        kept = fewer;
        isLess = true;
      } else from += size;
    }
    if (size === 1 && !isLess) break;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  const { violation: shortest } = await runOnce(platform, scenario, state, guided(kept), { hasStory: true });
  return shortest ? { ...shortest, taken: kept, steps: shortest.taken } : violation;
}
