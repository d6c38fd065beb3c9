import type { Choice } from './choices.ts';
import type { Environment } from './environment.ts';
import type { Ground } from './ground.ts';

/** The timers that functions wait for. */

type Timer = {
  readonly id: number;
  readonly at: number;
  readonly setAt: number;
  readonly environment: Environment;
  readonly fire: () => void;
};

/** A timer that waits longer limits an invocation or a call; it fires only when nothing else can happen. */
const shortMs = 2500;

export class Timers {
  readonly #ground: Ground;
  readonly #pass: (now: number) => void;
  #all: Timer[] = [];
  #lastId = 0;

  /** @param pass moves the time on */
  constructor(ground: Ground, pass: (now: number) => void) {
    this.#ground = ground;
    this.#pass = pass;
  }

  get all(): readonly Timer[] {
    return this.#all;
  }

  add(environment: Environment, ms: number, fire: () => void): number {
    this.#lastId += 1;
    const { now } = this.#ground;
    this.#all.push({ id: this.#lastId, at: now + ms, setAt: now, environment, fire });
    return this.#lastId;
  }

  remove(id: number): void {
    this.#all = this.#all.filter((each) => each.id !== id);
  }

  forget(environment: Environment): void {
    this.#all = this.#all.filter((each) => each.environment !== environment);
  }

  /** The next short one. */
  choices(): Choice[] {
    const timer = this.#next(shortMs);
    return timer ? [this.#choice(timer)] : [];
  }

  /** The next one, however long, unless it is after `latest`. */
  late(latest: number): Choice | null {
    const timer = this.#next(Number.POSITIVE_INFINITY);
    return timer && timer.at <= latest ? this.#choice(timer) : null;
  }

  #next(longestMs: number): Timer | null {
    let next: Timer | null = null;
    for (const timer of this.#all) {
      if (timer.at > this.#ground.now && timer.at - timer.setAt > longestMs) continue;
      if (!next || timer.at < next.at) next = timer;
    }
    return next;
  }

  #choice(timer: Timer): Choice {
    const actor = timer.environment.invocation?.actor ?? timer.environment.fn.name;
    const act = () => {
      this.remove(timer.id);
      this.#pass(Math.max(this.#ground.now, timer.at));
      if (!timer.environment.isDead) timer.fire();
    };
    return {
      id: `${actor}/timer`,
      actor,
      kind: 'timer',
      accesses: [],
      label: 'timer',
      describe: () => `${actor} has waited ${timer.at - timer.setAt} ms`,
      outcomes: () => [{ name: 'done', fault: null, act }],
    };
  }
}
