import { clockChoices, endChoice, expiryChoices } from './asides.ts';
import { Calls } from './calls.ts';
import type { Choice, Outcome, Taken } from './choices.ts';
import type { SourceState } from './deliveries.ts';
import { endOf } from './end.ts';
import { Environments } from './environments.ts';
import { type Ended, scheduledEvent } from './events.ts';
import type { Runnable } from './functions.ts';
import { Ground, type Platform, type State, type WorldOptions } from './ground.ts';
import { PartialOrder } from './order.ts';
import type { Answer, End, Person, Request, Scenario } from './scenario.ts';
import { Scripts } from './scripts.ts';
import { Sources } from './sources.ts';
import { stateHash } from './state-hash.ts';
import { words } from './story.ts';
import { Stuck } from './stuck.ts';
import { Timers } from './timers.ts';

/** One schedule of a scenario, in virtual time: what could happen next, and what happens when it is chosen. */

type Delivered = [fn: Runnable, event: unknown, finish: (ended: Ended) => void];

const mostSteps = 4000;

export class World {
  readonly taken: Taken[] = [];
  readonly order = new PartialOrder();
  readonly pairs: Set<string>;
  readonly ground: Ground;
  readonly #timers: Timers;
  readonly #calls: Calls;
  readonly #environments: Environments;
  readonly #scripts: Scripts;
  readonly #sources: Sources;

  constructor(platform: Platform, scenario: Scenario, state: State, options: WorldOptions = {}) {
    const ground = new Ground(platform, scenario, state, options);
    platform.clock.now = () => ground.now;
    const pass = (now: number) => this.#environments.pass(now);
    this.pairs = options.pairs ?? new Set();
    this.ground = ground;
    this.#timers = new Timers(ground, pass);
    this.#calls = new Calls(
      ground,
      (environment) => this.#environments.kill(environment, 'died'),
      ({ actor, id }, name, event, finish) => {
        const fn = platform.functions.procedure(name);
        this.#consume(actor, `${options.isSetUp ? 'set-up ' : ''}${id} ${fn.id}`, fn, event, finish);
      },
    );
    this.#environments = new Environments(ground, this.#timers, this.#calls);
    this.#scripts = new Scripts(ground, this.#environments);
    const scene = {
      now: () => ground.now,
      pass,
      rows: ground.rows,
      outside: ground.outside,
      deadLetters: ground.deadLetters,
      fault: ground.fault.bind(ground),
      invoke: (actor: string, id: string, ...rest: Delivered) =>
        this.#consume(actor, options.isSetUp ? `set-up ${id}` : id, ...rest),
    };
    this.#sources = new Sources(scene, scenario, platform.functions.sources);
  }

  /** Begins the clients' scripts. */
  begin(): void {
    this.#scripts.begin();
  }

  /** The files of the functions that ran. */
  get invoked(): ReadonlySet<string> {
    return this.#environments.invoked;
  }

  /** Waits until the microtasks are drained and nothing but the scheduler can go on. */
  async drained(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.ground.failure !== undefined) throw this.ground.failure;
    this.#environments.checkWaiting();
  }

  /** What could happen next, in an order that is the same in each run. */
  choices(): Choice[] {
    const found = [
      ...this.#scripts.choices(),
      ...this.#calls.choices(),
      ...this.#timers.choices(),
      ...this.#sources.choices(),
    ];
    if (found.length === 0) {
      const late = this.#lateChoice();
      if (late) found.push(late);
    }
    if (this.ground.isFair) return found;
    const optional = this.#optional();
    if (this.#scripts.areOpen || found.length > 0) return [...found, ...optional];
    if (optional.length === 0) return [];
    return [endChoice(this.ground), ...optional];
  }

  async take(choice: Choice, outcome: Outcome): Promise<void> {
    this.ground.steps += 1;
    if (this.ground.steps > mostSteps) throw new Stuck('the story does not come to rest');
    this.taken.push({ id: choice.id, outcome: outcome.name, label: choice.label });
    this.ground.tell(
      () => `${choice.describe()}${outcome.name === 'done' ? '' : `: ${words[outcome.name] ?? outcome.name}`}`,
    );
    if (outcome.fault) this.ground.faultsLeft -= 1;
    this.order.add(choice.actor, choice.label, `${choice.id}:${outcome.name}`, choice.accesses, this.pairs);
    await outcome.act();
    await this.drained();
  }

  /** Lets everything come to rest under a fair schedule without faults, and runs what runs in the end. */
  async rest(): Promise<void> {
    this.ground.faultsLeft = 0;
    await this.fairly();
    for (let round = 0; round < 2; round += 1)
      for (const id of this.ground.scenario.finally ?? [])
        for (const state of this.#sources.of(id)) await this.#runAtRest(state, round);
  }

  async fairly(): Promise<void> {
    const ground = this.ground;
    const was = ground.isFair;
    ground.isFair = true;
    await this.drained();
    for (;;) {
      const [choice] = this.choices();
      const [outcome] = choice?.outcomes() ?? [];
      if (!choice || !outcome) break;
      await this.take(choice, outcome);
    }
    ground.isFair = was;
  }

  /** Invokes a scheduled function, and lets it come to rest. */
  async run(id: string): Promise<void> {
    for (const { fn } of this.ground.platform.functions.sources.filter((source) => source.fn.id === id)) {
      const { steps, now } = this.ground;
      this.#consume(id, `${id}/run ${steps} ${now}`, fn, scheduledEvent(now), () => undefined);
      await this.fairly();
    }
  }

  /** @param name of the client. Two with one name draw the same random values, so the end uses another one than the set-up */
  async quietCall(
    person: Person,
    operation: string,
    request: Request = {},
    name = `quiet ${this.ground.steps}`,
  ): Promise<Answer> {
    const answered = this.#scripts.client(name, person).call(operation, request);
    await this.fairly();
    return answered;
  }

  end(): Omit<End, 'client'> {
    return endOf(this.ground, this.#scripts.calls, (person, operation, request) =>
      this.quietCall(person, operation, request, `afterwards ${this.ground.steps}`),
    );
  }

  stateHash(): string {
    return stateHash({
      ground: this.ground,
      timers: this.#timers,
      calls: this.#calls,
      environments: this.#environments,
      scripts: this.#scripts,
      sources: this.#sources,
    });
  }

  /** Does a call without a schedule. */
  atOnce(service: string, action: string, input: Record<string, unknown>): Promise<unknown> {
    return this.#calls.atOnce(service, action, input);
  }

  #consume(actor: string, id: string, ...[fn, event, finish]: Delivered): void {
    this.#environments.invoke(actor, id, fn, event, 'warm', finish);
  }

  async #runAtRest({ actor, source: { fn, everySeconds = 60 } }: SourceState, round: number): Promise<void> {
    const ground = this.ground;
    ground.now += everySeconds * 1000;
    ground.tell(() => `(at rest) ${fn.id} runs`);
    this.#consume(actor, `${actor}/last ${ground.now} ${round}`, fn, scheduledEvent(ground.now), (ended) => {
      // Without a fault a run does what is due.
      if (ended.how === 'answered') return;
      ground.deadLetters.push({ from: actor, body: `a run in the end: ${ended.how}` });
    });
    await this.drained();
    await this.fairly();
  }

  /** What waits for a later time, if nothing else can happen. */
  #lateChoice(): Choice | null {
    const visibleAt = this.#sources.visibleAt();
    const timer = this.#timers.late(visibleAt);
    if (timer) return timer;
    return visibleAt === Number.POSITIVE_INFINITY ? null : this.#sources.late(visibleAt);
  }

  #optional(): Choice[] {
    const pass = (now: number) => this.#environments.pass(now);
    return [...this.#sources.optional(), ...expiryChoices(this.ground), ...clockChoices(this.ground, pass)];
  }
}
