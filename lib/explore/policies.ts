import type { Choice, Outcome, Taken } from './choices.ts';
import type { Ground } from './ground.ts';
import { below, type Random, randomOf } from './random.ts';
import type { World } from './world.ts';

/** Who moves next, and what becomes of its call. Null ends the schedule. */
export type Policy = (choices: readonly Choice[], world: World) => readonly [Choice, Outcome] | null;

/** The share of the steps that get a fault. A schedule draws one of these rates: 0 explores only the order, 0.3 many repetitions. */
const faultRates = [0, 0.04, 0.12, 0.3];

/** How likely a fault is at a step. */
type Faultiness = (ground: Ground) => number;

function atARate(random: Random): Faultiness {
  const rate = faultRates[below(random, faultRates.length)] ?? 0;
  return () => rate;
}

/**
 * At a rate the faults of a schedule are used up by its first steps. Here each has a step that is drawn from all of them.
 *
 * @param steps of a schedule without a fault
 */
export function spread(steps: number): (random: Random) => Faultiness {
  return (random) => {
    const due = [below(random, steps), below(random, steps)].sort((one, other) => one - other);
    let most = -1;
    // At the first step from there on that can have one.
    return ({ faultsLeft, steps: now }) => {
      if (most < 0) most = faultsLeft;
      return now >= (due[most - faultsLeft] ?? Number.POSITIVE_INFINITY) ? 1 : 0;
    };
  };
}

/** Each step is drawn from all that could happen. */
export function randomWalk(seed: string, faultiness = atARate): Policy {
  const random = randomOf(`walk ${seed}`);
  const isLikely = faultiness(random);
  return (choices, world) => drawn(random, isLikely(world.ground), weighed(random, choices));
}

/**
 * Random priorities with change points: Burckhardt, Kothari, Musuvathi and Nagarakatte, "A randomized scheduler with
 * probabilistic guarantees of finding bugs" (ASPLOS 2010). Of `n` actors and `k` steps it shows a bug of depth `d`, which needs
 * `d` ordered steps, with a probability of at least 1 / (n · k^(d-1)). The bound covers the order, and no injected fault.
 */
export function prioritized(
  seed: string,
  { depth, steps }: { readonly depth: number; readonly steps: number },
  faultiness = atARate,
): Policy {
  const random = randomOf(`priorities ${seed}`);
  const isLikely = faultiness(random);
  const priorities = new Map<string, number>();
  const changes = new Set(Array.from({ length: depth - 1 }, () => below(random, steps)));
  let lowest = 0;
  return (choices, world) => {
    for (const { actor } of choices) if (!priorities.has(actor)) priorities.set(actor, random());
    const first = (all: readonly Choice[]) =>
      all.reduce((best, each) => ((priorities.get(each.actor) ?? 0) > (priorities.get(best.actor) ?? 0) ? each : best));
    let choice = first(choices);
    if (changes.has(world.ground.steps)) {
      lowest -= 1;
      priorities.set(choice.actor, lowest);
      choice = first(choices);
    }
    // The calls that one invocation makes at once have no order of their own.
    const equal = choices.filter(({ actor, kind }) => actor === choice.actor && kind === choice.kind);
    return drawn(random, isLikely(world.ground), equal[below(random, equal.length)] ?? choice);
  };
}

/** Follows decisions as far as they are possible, then lets whoever moved last go on, without a fault. */
export function guided(decisions: readonly Taken[]): Policy {
  let at = 0;
  let last = '';
  return (choices) => {
    for (; at < decisions.length; at += 1) {
      const { id, outcome } = decisions[at] as Taken;
      const choice = choices.find((each) => each.id === id);
      const found = choice?.outcomes().find(({ name }) => name === outcome);
      if (!choice || !found) continue;
      at += 1;
      last = choice.actor;
      return [choice, found];
    }
    const going = choices.filter(({ kind }) => kind !== 'optional');
    const choice = going.find(({ actor }) => actor === last) ?? going[0];
    const [done] = choice?.outcomes() ?? [];
    if (!choice || !done) return null;
    last = choice.actor;
    return [choice, done];
  };
}

/** What may stay away is drawn less often: a schedule that fires at once would always come before the clients. */
function weighed(random: Random, choices: readonly Choice[]): Choice {
  const usual = choices.filter(({ kind }) => kind !== 'optional');
  const rare = choices.filter(({ kind }) => kind === 'optional');
  const from = rare.length > 0 && (usual.length === 0 || random() < 0.15) ? rare : usual;
  return from[below(random, from.length)] as Choice;
}

function drawn(random: Random, rate: number, choice: Choice): readonly [Choice, Outcome] {
  const outcomes = choice.outcomes();
  const faults = outcomes.filter(({ fault }) => fault !== null);
  const others = outcomes.filter(({ fault }) => fault === null);
  const isFault = faults.length > 0 && (others.length === 0 || random() < rate);
  const from = isFault ? faults : others;
  const [first] = from;
  // The ordinary outcome is half of all.
  const outcome = !isFault && from.length > 1 && random() < 0.5 ? first : from[below(random, from.length)];
  return [choice, (outcome ?? first) as Outcome];
}
