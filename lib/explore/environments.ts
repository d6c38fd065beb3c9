import { join, relative } from 'node:path';
import { handlerOf } from '../contract/parts.ts';
import type { Calls } from './calls.ts';
import type { Environment, Handler, Invocation } from './environment.ts';
import type { Ended } from './events.ts';
import type { Runnable } from './functions.ts';
import type { Ground } from './ground.ts';
import { textHash } from './order.ts';
import { openResources, Stuck } from './stuck.ts';
import type { Timers } from './timers.ts';
import { environmentGlobals } from './virtual-globals.ts';

/** The execution environments of a schedule: how functions are invoked, and how they end. */

/** A clock may be wrong by less; a longer jump is time that passes, and outlasts every function. */
const mostSkewMs = 900_000;

export class Environments {
  /** The files of the functions that ran. */
  readonly invoked = new Set<string>();
  readonly #ground: Ground;
  readonly #timers: Timers;
  readonly #calls: Calls;
  readonly #all: Environment[] = [];

  constructor(ground: Ground, timers: Timers, calls: Calls) {
    this.#ground = ground;
    this.#timers = timers;
    this.#calls = calls;
  }

  get all(): readonly Environment[] {
    return this.#all;
  }

  /** A warm one that could take an invocation. */
  idle(fn: Runnable): Environment | undefined {
    return this.#all.findLast((each) => each.fn === fn && !each.isDead && !each.invocation);
  }

  invoke(
    actor: string,
    id: string,
    fn: Runnable,
    event: unknown,
    how: 'warm' | 'cold',
    finish: (ended: Ended) => void,
  ): Invocation {
    const warm = how === 'warm' && !this.#ground.isExhaustive ? this.idle(fn) : undefined;
    const environment = warm ?? this.#open(fn);
    const invocation: Invocation = {
      actor,
      id,
      fn,
      environment,
      deadline: this.#ground.now + fn.timeoutMs,
      asked: 0,
      seen: textHash(id),
      rows: new Map(),
      finish: (ended) => {
        environment.invocation = null;
        environment.seen = (environment.seen * 31 + invocation.seen) >>> 0;
        this.#forget(environment);
        finish(ended);
      },
    };
    environment.invocation = invocation;
    this.invoked.add(fn.file);
    environment.seed(id);
    const context = {
      awsRequestId: id,
      functionName: fn.id,
      getRemainingTimeInMillis: () => invocation.deadline - this.#ground.now,
    };
    this.#handlerOf(environment)
      .then((handler) => handler(event, context))
      .then(
        (value) => {
          if (!environment.isDead) invocation.finish({ how: 'answered', value });
        },
        (error: unknown) => {
          // The chain of a route answers every error, so this one is of the explorer or of loading.
          if (fn.route) this.#ground.fail(error);
          if (!environment.isDead) invocation.finish({ how: 'failed', error });
        },
      );
    return invocation;
  }

  kill(environment: Environment, how: 'died' | 'out of time'): void {
    const { invocation } = environment;
    environment.isDead = true;
    this.#forget(environment);
    invocation?.finish({ how });
  }

  /** The time moves, and whoever is far beyond its limit ends. */
  pass(now: number): void {
    this.#ground.now = now;
    for (const environment of this.#all) {
      const { invocation } = environment;
      if (invocation && !environment.isDead && invocation.deadline < now - mostSkewMs)
        this.kill(environment, 'out of time');
    }
  }

  /** @throws Stuck where an invocation waits for nothing that the scheduler decides */
  checkWaiting(): void {
    for (const environment of this.#all) {
      const { invocation } = environment;
      if (!invocation || environment.isDead) continue;
      const isIts = (each: { readonly environment: Environment }) => each.environment === environment;
      if (this.#calls.areOpenOf(environment) || this.#timers.all.some(isIts)) continue;
      throw new Stuck(`${invocation.actor} waits for something that the scheduler does not decide${openResources()}`);
    }
  }

  #forget(environment: Environment): void {
    this.#timers.forget(environment);
    this.#calls.forget(environment);
  }

  async #handlerOf(environment: Environment): Promise<Handler> {
    if (environment.handler) return environment.handler;
    const { fn, load } = environment;
    const { root } = this.#ground.platform;
    const handler = handlerOf(relative(root, fn.file), fn.parts, (file) => load(join(root, file))) as Handler;
    const { atInit } = load(fn.file) as { atInit?: { read?: unknown } };
    environment.handler = handler;
    if (fn.atInit && atInit?.read) {
      const { initialize } = load(join(root, 'lib/runtime/initialize.ts')) as {
        initialize: (table: unknown, options: unknown) => Promise<void>;
      };
      await initialize(fn.atInit, { ...atInit, variables: fn.variables });
    }
    return handler;
  }

  #open(fn: Runnable): Environment {
    const { modules, packages } = this.#ground.platform;
    const surroundings = environmentGlobals({
      now: () => this.#timeIn(environment),
      addTimer: (ms, fire) => this.#timers.add(environment, ms, fire),
      removeTimer: (id) => this.#timers.remove(id),
      write: (line) => {
        this.#ground.logs.push(line);
      },
      variables: { ...fn.variables, ...this.#ground.scenario.variables },
    });
    const sdk = packages((asked) => this.#calls.ask(environment, asked));
    const environment: Environment = {
      number: this.#all.length,
      fn,
      load: modules.environment(surroundings.globals, (specifier) => surroundings.builtIn(specifier) ?? sdk(specifier)),
      seed: surroundings.seed,
      handler: null,
      invocation: null,
      isDead: false,
      seen: 0,
    };
    this.#all.push(environment);
    return environment;
  }

  #timeIn({ invocation }: Environment): number {
    const { now, isExhaustive } = this.#ground;
    // The time that an invocation knows is an answer that it saw.
    if (isExhaustive && invocation && invocation.knownTime !== now) {
      invocation.knownTime = now;
      invocation.seen = (invocation.seen + textHash(`time ${now}`)) >>> 0;
    }
    return now;
  }
}
