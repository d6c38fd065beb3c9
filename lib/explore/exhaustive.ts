import type { Choice, Outcome } from './choices.ts';
import type { Platform, State } from './ground.ts';
import { type Access, anyConflict } from './order.ts';
import { runOnce, type Violation } from './run.ts';
import type { Scenario } from './scenario.ts';
import type { World } from './world.ts';

/**
 * Every order of the calls that conflict, and every fault, within a number of faults. States that were seen before are not
 * explored again, and calls that commute are not permuted: sleep sets (Godefroid, "Partial-order methods for the verification of
 * concurrent systems", 1996), with the sleep set of a state kept beside it.
 */

type Transition = {
  readonly id: string;
  readonly choice: string;
  readonly outcome: string;
  readonly actor: string;
  readonly accesses: readonly Access[];
  readonly isFault: boolean;
  readonly kind: Choice['kind'];
  /** Changes the time or the end, which everything sees. */
  readonly concernsAll: boolean;
};

type Frame = {
  readonly transitions: readonly Transition[];
  readonly sleep: ReadonlyMap<string, Transition>;
  at: number;
};

export type Explored = {
  readonly schedules: number;
  readonly steps: number;
  readonly states: number;
  /** False where the bound on schedules ended it. */
  readonly isComplete: boolean;
  readonly violation: Violation | null;
};

export async function exhaustively(
  platform: Platform,
  scenario: Scenario,
  state: State,
  bounds: { readonly faults: number; readonly most: number },
  options: { readonly orders?: Set<number>; readonly pairs?: Set<string> } = {},
): Promise<Explored> {
  const frames: Frame[] = [];
  const seen = new Map<string, ReadonlySet<string>>();
  let [schedules, steps] = [0, 0];
  for (;;) {
    let depth = 0;
    let isPruned = false;
    const policy = (choices: readonly Choice[], world: World): readonly [Choice, Outcome] | null => {
      if (depth === frames.length) {
        const frame = frameOf(choices, world);
        if (!frame) {
          isPruned = true;
          return null;
        }
        frames.push(frame);
      }
      const { transitions, at } = frames[depth] as Frame;
      const wanted = transitions[at] as Transition;
      depth += 1;
      const choice = choices.find(({ id }) => id === wanted.choice);
      const outcome = choice?.outcomes().find(({ name }) => name === wanted.outcome);
      if (!choice || !outcome)
        throw new Error(`the schedule is not deterministic: ${wanted.id} is not possible any more`);
      return [choice, outcome];
    };
    const frameOf = (choices: readonly Choice[], world: World): Frame | null => {
      const sleep = sleepOf(frames.at(-1));
      const key = world.stateHash();
      const known = seen.get(key);
      const all = choices.flatMap(transitionsOf).filter(({ id }) => !sleep.has(id) && (known?.has(id) ?? true));
      const ids = new Set(sleep.keys());
      seen.set(key, known ? new Set([...known].filter((id) => ids.has(id))) : ids);
      return all.length > 0 ? { transitions: all, sleep, at: 0 } : null;
    };
    const ran = await runOnce(platform, scenario, state, policy, {
      faults: bounds.faults,
      isExhaustive: true,
      ...(options.pairs && { pairs: options.pairs }),
      isCut: () => isPruned,
    });
    if (!isPruned) {
      schedules += 1;
      options.orders?.add(ran.order);
    }
    steps += ran.steps;
    const result = (isComplete: boolean): Explored => ({
      schedules,
      steps,
      states: seen.size,
      isComplete,
      violation: ran.violation,
    });
    if (ran.violation) return result(false);
    while (frames.length > 0 && (frames.at(-1) as Frame).at + 1 >= (frames.at(-1) as Frame).transitions.length)
      frames.pop();
    const top = frames.at(-1);
    if (!top) return result(true);
    top.at += 1;
    if (schedules >= bounds.most) return result(false);
  }
}

function transitionsOf(choice: Choice): Transition[] {
  return choice.outcomes().map(({ name, fault }) => ({
    id: `${choice.id}:${name}`,
    choice: choice.id,
    outcome: name,
    actor: choice.actor,
    accesses: choice.accesses,
    isFault: fault !== null,
    kind: choice.kind,
    concernsAll:
      choice.kind === 'timer' ||
      choice.kind === 'optional' ||
      choice.kind === 'end' ||
      fault === 'time-out' ||
      fault === 'stale',
  }));
}

/** What was explored from the states before and commutes with the step that leads here. */
function sleepOf(frame: Frame | undefined): Map<string, Transition> {
  if (!frame) return new Map();
  const taken = frame.transitions[frame.at] as Transition;
  const explored = [...frame.sleep.values(), ...frame.transitions.slice(0, frame.at)];
  return new Map(explored.filter((each) => commute(each, taken)).map((each) => [each.id, each]));
}

function commute(one: Transition, other: Transition): boolean {
  if (one.actor === other.actor || one.concernsAll || other.concernsAll) return false;
  if (one.isFault && other.isFault) return false;
  // A start moves the clock, and whether a call had ended when another began is part of what a client sees.
  if (one.kind === 'start' || other.kind === 'start') return false;
  return !anyConflict(one.accesses, other.accesses);
}
