import { isFailure } from '../local/dynamodb/failures.ts';
import type { Choice, Outcome, Taken } from './choices.ts';
import { type Asked, received, type sdkPackages } from './clients.ts';
import { deliverChoice, fireChoice, redeliveryChoice, type Scene, type SourceState } from './deliveries.ts';
import { answerOf, type Ended, eventOf, nothing, scheduledEvent } from './events.ts';
import type { Functions, Runnable } from './functions.ts';
import { insisting } from './insisting.ts';
import type { Loaded, openModules } from './modules.ts';
import { type Access, accessesOf, PartialOrder, textHash } from './order.ts';
import { answerOutside, placeOutside } from './outside/services.ts';
import { copyOf, OutsideFailure, type OutsideState } from './outside/state.ts';
import { Rows, type RowsState } from './rows.ts';
import type { Answer, Call, End, FaultName, Person, Request, Row, Scenario } from './scenario.ts';
import { type SdkErrors, sdkErrors } from './sdk-errors.ts';
import { codeOf, described, tablesOf, words } from './story.ts';
import { environmentGlobals } from './virtual-globals.ts';

/** One schedule of a scenario, in virtual time: what could happen next, and what happens when it is chosen. */

export type State = { readonly rows: RowsState; readonly outside: OutsideState; readonly now: number };

export type Platform = {
  readonly root: string;
  readonly functions: Functions;
  readonly modules: ReturnType<typeof openModules>;
  readonly packages: ReturnType<typeof sdkPackages>;
  readonly clock: { now: () => number };
};

type Environment = {
  readonly number: number;
  readonly fn: Runnable;
  readonly load: Loaded;
  readonly seed: (text: string) => void;
  handler: ((event: unknown, context: unknown) => Promise<unknown>) | null;
  invocation: Invocation | null;
  isDead: boolean;
  /** What its invocations saw: warm environments with the same are the same. */
  seen: number;
};

type Invocation = {
  readonly actor: string;
  readonly fn: Runnable;
  readonly environment: Environment;
  readonly deadline: number;
  knownTime?: number;
  /** The step at which a client called. */
  begun?: number;
  asked: number;
  seen: number;
  readonly finish: (result: Ended) => void;
};

type Pending = {
  readonly id: string;
  readonly environment: Environment;
  readonly invocation: Invocation;
  readonly asked: Asked;
  readonly attempt: number;
  readonly accesses: readonly Access[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

type Timer = {
  readonly id: number;
  readonly at: number;
  readonly setAt: number;
  readonly environment: Environment;
  readonly fire: () => void;
};

type Start = {
  readonly id: string;
  readonly client: string;
  readonly person: Person;
  readonly operation: string;
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
};

/** Rows that a client puts without a function. */
type Putting = {
  readonly id: string;
  readonly client: string;
  readonly input: Record<string, unknown>;
  readonly resolve: () => void;
};

export type WorldOptions = {
  /** Receives the pairs of calls that were seen in this order. */
  readonly pairs?: Set<string>;
  readonly faults?: number;
  /** Whether the story is written in words. */
  readonly hasStory?: boolean;
  /** For an exhaustive exploration: each invocation is a cold start. */
  readonly isExhaustive?: boolean;
  /** Whether the rest of the schedule was explored before, so that nothing is judged. */
  readonly isCut?: () => boolean;
};

/** Items never change, and invariants read the same ones again and again. */
const readItems = new WeakMap<object, Row>();

/** The story did not come to rest, or waits for something that the explorer does not decide. */
export class Stuck extends Error {}

const mostSteps = 4000;
/** A timer that waits longer limits an invocation or a call; it fires only when nothing else can happen. */
const shortMs = 2500;
/** A clock may be wrong by less; a longer jump is time that passes, and outlasts every function. */
const mostSkewMs = 900_000;

export class World {
  now: number;
  readonly rows: Rows;
  readonly outside: OutsideState;
  readonly calls: Call[] = [];
  readonly taken: Taken[] = [];
  readonly story: string[] = [];
  readonly order = new PartialOrder();
  readonly pairs: Set<string>;
  readonly logs: string[] = [];
  readonly deadLetters: { from: string; body: string }[] = [];
  /** The files of the functions that ran. */
  readonly invoked = new Set<string>();
  faultsLeft: number;
  steps = 0;
  readonly #scenario: Scenario;
  readonly #platform: Platform;
  readonly #errors: SdkErrors;
  readonly #keys: Map<string, [string, string | undefined]>;
  #pending: Pending[] = [];
  #timers: Timer[] = [];
  #starts: Start[] = [];
  #puttings: Putting[] = [];
  #environments: Environment[] = [];
  #sources: SourceState[] = [];
  readonly #scene: Scene;
  #timerIds = 0;
  #clientsOpen = 0;
  readonly #clientSeen = new Map<string, number>();
  #failure: unknown;
  #isFair = false;
  readonly #hasStory: boolean;
  readonly #isExhaustive: boolean;

  constructor(platform: Platform, scenario: Scenario, state: State, options: WorldOptions = {}) {
    this.#platform = platform;
    this.#errors = sdkErrors(platform.modules.native);
    this.#scenario = scenario;
    this.now = state.now;
    this.rows = new Rows(state.rows, () => this.now);
    this.outside = copyOf(state.outside);
    this.faultsLeft = options.faults ?? scenario.faults.most;
    this.pairs = options.pairs ?? new Set();
    this.#hasStory = options.hasStory ?? false;
    this.#isExhaustive = options.isExhaustive ?? false;
    this.#keys = new Map(
      platform.functions.tables.map(({ name, partitionKey, sortKey }) => [name, [partitionKey, sortKey]]),
    );
    platform.clock.now = () => this.now;
    this.#scene = {
      now: () => this.now,
      pass: (now) => this.#pass(now),
      rows: this.rows,
      outside: this.outside,
      deadLetters: this.deadLetters,
      fault: (name, act, variant) => this.#fault(name, act, variant),
      invoke: (actor, id, fn, event, finish) => void this.#invoke(actor, id, fn, event, 'warm', finish),
    };
    const taking = new Set([
      ...(scenario.consumers ?? []),
      ...Object.keys(scenario.schedules ?? {}),
      ...(scenario.finally ?? []),
    ]);
    for (const wanted of taking) {
      const found = platform.functions.sources.filter(({ fn }) => fn.id === wanted);
      if (found.length === 0) throw new Error(`${scenario.name}: there is no consumer ${wanted}`);
      for (const source of found) {
        this.#sources.push({
          source,
          actor: found.length > 1 ? source.fn.name : source.fn.id,
          cursor: source.stream ? this.rows.changes.length : 0,
          last: [],
          running: 0,
          attempts: 0,
          delivered: 0,
          fires: scenario.schedules?.[wanted] ?? 0,
        });
      }
    }
  }

  /** Begins the clients' scripts. */
  begin(): void {
    for (const [name, { as, does }] of Object.entries(this.#scenario.clients)) {
      this.#clientsOpen += 1;
      const client = this.client(name, as);
      does(client).then(
        () => {
          this.#clientsOpen -= 1;
        },
        (error: unknown) => {
          this.#failure ??= error;
          this.#clientsOpen -= 1;
        },
      );
    }
  }

  client(name: string, person: Person) {
    let number = 0;
    const call = (operation: string, request: Request = {}) => {
      number += 1;
      const id = `${name}/${number}`;
      return new Promise<Answer>((resolve) =>
        this.#starts.push({ id, client: name, person, operation, request, resolve }),
      );
    };
    const insist = insisting(call);
    const put = (table: string, ...rows: readonly Row[]) => {
      number += 1;
      const { marshall } = this.#platform.modules.native('@aws-sdk/util-dynamodb') as {
        marshall(row: Row, options: object): Record<string, unknown>;
      };
      const TransactItems = rows.map((row) => ({
        Put: { TableName: table, Item: marshall(row, { removeUndefinedValues: true }) },
      }));
      const id = `${name}/${number}`;
      return new Promise<void>((resolve) =>
        this.#puttings.push({ id, client: name, input: { TransactItems }, resolve }),
      );
    };
    return { call, insist, put };
  }

  /** Waits until the microtasks are drained and nothing but the scheduler can go on. */
  async drained(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#failure !== undefined) throw this.#failure;
    for (const environment of this.#environments) {
      const { invocation } = environment;
      if (!invocation || environment.isDead) continue;
      const waits =
        this.#pending.some((each) => each.environment === environment) ||
        this.#timers.some((each) => each.environment === environment);
      if (waits) continue;
      throw new Stuck(`${invocation.actor} waits for something that the scheduler does not decide${openResources()}`);
    }
  }

  /** What could happen next, in an order that is the same in each run. */
  choices(): Choice[] {
    const found: Choice[] = [];
    for (const start of this.#starts) found.push(this.#startChoice(start));
    for (const putting of this.#puttings) found.push(this.#putChoice(putting));
    for (const pending of this.#pending) found.push(this.#callChoice(pending));
    const timer = this.#nextTimer(shortMs);
    if (timer) found.push(this.#timerChoice(timer));
    for (const state of this.#sources) {
      const choice = deliverChoice(this.#scene, state, this.now);
      if (choice) found.push(choice);
    }
    if (found.length === 0) {
      const late = this.#lateChoice();
      if (late) found.push(late);
    }
    if (this.#isFair) return found;
    const isResting = found.length === 0;
    if (this.#clientsOpen > 0 || !isResting) {
      found.push(...this.#optional());
      return found;
    }
    const optional = this.#optional();
    if (optional.length === 0) return [];
    return [this.#endChoice(), ...optional];
  }

  async take(choice: Choice, outcome: Outcome): Promise<void> {
    this.steps += 1;
    if (this.steps > mostSteps) throw new Stuck('the story does not come to rest');
    this.taken.push({ id: choice.id, outcome: outcome.name, label: choice.label });
    if (this.#hasStory)
      this.story.push(
        `${choice.describe()}${outcome.name === 'done' ? '' : `: ${words[outcome.name] ?? outcome.name}`}`,
      );
    if (outcome.fault) this.faultsLeft -= 1;
    this.order.add(choice.actor, choice.label, `${choice.id}:${outcome.name}`, choice.accesses, this.pairs);
    await outcome.act();
    await this.drained();
  }

  /** Lets everything come to rest under a fair schedule without faults, and runs what runs in the end. */
  async rest(): Promise<void> {
    this.faultsLeft = 0;
    await this.fairly();
    for (let round = 0; round < 2; round += 1) {
      for (const id of this.#scenario.finally ?? []) {
        for (const state of this.#sources.filter(({ source }) => source.fn.id === id)) {
          this.now += (state.source.everySeconds ?? 60) * 1000;
          if (this.#hasStory) this.story.push(`(at rest) ${id} runs`);
          this.#invoke(
            state.actor,
            `${state.actor}/last ${this.now} ${round}`,
            state.source.fn,
            scheduledEvent(this.now),
            'warm',
            (ended) => {
              // Without a fault a run does what is due.
              if (ended.how === 'answered') return;
              this.deadLetters.push({ from: state.actor, body: `a run in the end: ${ended.how}` });
            },
          );
          await this.drained();
          await this.fairly();
        }
      }
    }
  }

  async fairly(): Promise<void> {
    const was = this.#isFair;
    this.#isFair = true;
    await this.drained();
    for (;;) {
      const [choice] = this.choices();
      const [outcome] = choice?.outcomes() ?? [];
      if (!choice || !outcome) break;
      await this.take(choice, outcome);
    }
    this.#isFair = was;
  }

  /** Invokes a scheduled function, and lets it come to rest. */
  async run(id: string): Promise<void> {
    for (const source of this.#platform.functions.sources.filter(({ fn }) => fn.id === id)) {
      this.#invoke(
        id,
        `${id}/run ${this.steps} ${this.now}`,
        source.fn,
        scheduledEvent(this.now),
        'warm',
        () => undefined,
      );
      await this.fairly();
    }
  }

  async quietCall(person: Person, operation: string, request: Request = {}): Promise<Answer> {
    const answered = this.client(`quiet ${this.steps}`, person).call(operation, request);
    await this.fairly();
    return answered;
  }

  end(): Omit<End, 'client'> {
    const { native } = this.#platform.modules;
    const { unmarshall: read } = native('@aws-sdk/util-dynamodb') as { unmarshall(value: unknown): Row };
    const unmarshall = (item: object): Row => {
      const known = readItems.get(item);
      if (known) return known;
      const made = read(received(item));
      readItems.set(item, made);
      return made;
    };
    return {
      rows: (table) => this.rows.items(table).map((item) => unmarshall(item)),
      calls: this.calls,
      outside: this.outside,
      now: this.now,
      deadLetters: this.deadLetters,
      changes: (table) => {
        const { stream } = this.#platform.functions.tables.find(({ name }) => name === table) ?? {};
        const entries = this.rows.changes
          .filter((change) => change.table === table)
          .map(({ number, entry: { before, after } }) => ({ number, before, after }));
        const others = () => this.rows.changesOf(table).map((change, index) => ({ number: index, ...change }));
        return (stream ? entries : others()).map(({ number, before, after }) => ({
          number,
          before: before ? unmarshall(before) : null,
          after: after ? unmarshall(after) : null,
        }));
      },
      written: () =>
        this.rows.written.map(({ table, commit, before, after }) => ({
          table,
          commit,
          before: before ? unmarshall(before) : null,
          after: after ? unmarshall(after) : null,
        })),
      metric: (name) =>
        this.logs
          .filter((line) => line.includes(`"${name}":`))
          .map((line) => Number((JSON.parse(line) as Record<string, unknown>)[name])),
      call: (person, operation, request) => this.quietCall(person, operation, request),
    };
  }

  /** Equal where the same stores, queues, clock and timers are there, and each open invocation and warm environment saw the same. */
  stateHash(): string {
    const environments = this.#environments
      .filter(({ isDead }) => !isDead)
      .map(
        ({ fn, seen, invocation }) =>
          `${fn.name} ${seen} ${invocation ? `${invocation.actor} ${invocation.asked} ${invocation.seen}` : ''}`,
      )
      .sort();
    return JSON.stringify([
      this.rows.hash(),
      {
        ...this.outside,
        objects: Object.entries(this.outside.objects).map(([key, versions]) => [key, versions.map(({ id }) => id)]),
      },
      this.now,
      this.faultsLeft,
      environments,
      this.#pending.map(({ id, attempt }) => `${id} ${attempt}`).sort(),
      this.#timers.map(({ at, environment: { fn } }) => `${fn.name} ${at}`).sort(),
      [...this.#starts, ...this.#puttings].map(({ id }) => id).sort(),
      [...this.#clientSeen].sort(),
      this.#realTimeOrder(),
      this.#sources.map(({ cursor, last, running, attempts, fires }) => [cursor, last, running, attempts, fires]),
    ]);
  }

  /** For each call which others had ended before it began. */
  #realTimeOrder(): string[] {
    const open = this.#environments.flatMap(({ invocation }) => (invocation?.begun === undefined ? [] : [invocation]));
    const all = [...this.calls, ...open.map(({ actor, begun }) => ({ client: actor, begun: begun as number }))];
    return all
      .map(
        ({ client, begun }) =>
          `${client} ${this.calls.filter(({ ended }) => ended <= begun).map((each) => each.client)}`,
      )
      .sort();
  }

  #startChoice(start: Start): Choice {
    const { id, client, person, operation, request } = start;
    const fn = this.#platform.functions.route(person.application, operation);
    const go = (how: 'warm' | 'cold', isHeard: boolean) => () => {
      this.#starts = this.#starts.filter((each) => each !== start);
      const begun = this.steps;
      this.now += 1;
      const event = eventOf(fn, person, request, id, this.now);
      this.#invoke(client, id, fn, event, how, (ended) => {
        const answer = isHeard ? answerOf(ended) : nothing;
        this.calls.push({ client, operation, request, answer, begun, ended: this.steps });
        if (this.#isExhaustive)
          this.#clientSeen.set(
            client,
            ((this.#clientSeen.get(client) ?? 0) * 31 + textHash(JSON.stringify(answer))) >>> 0,
          );
        if (this.#hasStory)
          this.story.push(`  ${client} ${isHeard ? `gets ${answer.status} ${codeOf(answer)}` : 'gets no answer'}`);
        start.resolve(answer);
      }).begun = begun;
    };
    return {
      id,
      actor: client,
      kind: 'start',
      accesses: [],
      label: operation,
      describe: () => `${client} calls ${operation}`,
      outcomes: () => [
        { name: 'done', fault: null, act: go('warm', true) },
        ...(!this.#isExhaustive && this.#idle(fn)
          ? [{ name: 'cold', fault: null, act: go('cold', true) } as const]
          : []),
        ...this.#fault('unheard', go('warm', false)),
      ],
    };
  }

  #putChoice(putting: Putting): Choice {
    const { id, client, input, resolve } = putting;
    const accesses = accessesOf('TransactWriteItems', input, this.#keys);
    return {
      id,
      actor: client,
      kind: 'call',
      accesses,
      label: `${client} puts ${tablesOf(accesses)}`,
      describe: () => `${client} puts ${accesses.map(described).join(', ')}`,
      outcomes: () => [
        {
          name: 'done',
          fault: null,
          act: async () => {
            this.#puttings = this.#puttings.filter((each) => each !== putting);
            await this.rows.execute('TransactWriteItems', input);
            resolve();
          },
        },
      ],
    };
  }

  #callChoice(pending: Pending): Choice {
    const { id, invocation, asked, accesses } = pending;
    const { service, action, input } = asked;
    const isDynamo = service === 'dynamodb';
    const place = isDynamo ? tablesOf(accesses) : (accesses[0]?.place ?? service);
    return {
      id,
      actor: invocation.actor,
      kind: 'call',
      accesses,
      label: `${invocation.fn.id} ${action} ${place}`,
      describe: () =>
        `${invocation.actor} ${invocation.fn.id}: ${action} ${isDynamo ? accesses.map(described).join(', ') : place}`,
      outcomes: () => {
        const reads = isDynamo && /^(GetItem|Query|Scan|BatchGetItem)$/.test(action);
        const isStale = reads && action !== 'BatchGetItem' ? input.ConsistentRead !== true : reads && isLoose(input);
        const earlier = isStale ? this.rows.earlier([...new Set(accesses.map(({ place: table }) => table))]) : [];
        const oldest = earlier.at(-1);
        const conflict = this.#mayFault('conflict') ? this.#errors.conflict(asked) : undefined;
        return [
          { name: 'done', fault: null, act: () => this.#perform(pending) },
          ...(earlier[0] === undefined
            ? []
            : this.#fault('stale', () => this.#perform(pending, { asOf: earlier[0] as number }))),
          ...(earlier.length > 1 && oldest !== undefined
            ? this.#fault('stale', () => this.#perform(pending, { asOf: oldest }), 'oldest')
            : []),
          ...this.#fault('lost', async () => {
            const answered = await this.#answer(pending);
            this.#retry(pending, 'error' in answered ? answered.error : this.#errors.timeOut());
          }),
          ...this.#fault('throttled', () => this.#retry(pending, this.#errors.throttling(asked))),
          ...(conflict === undefined ? [] : this.#fault('conflict', () => this.#settle(pending, { error: conflict }))),
          ...this.#fault('time-out', () => {
            this.now += asked.limitMs;
            this.#retry(pending, this.#errors.timeOut());
          }),
          ...this.#fault('dies-before', () => this.#kill(pending.environment, 'died')),
          ...this.#fault('dies-after', async () => {
            await this.#answer(pending);
            this.#kill(pending.environment, 'died');
          }),
          ...(/^(Query|Scan)$/.test(action) && isDynamo && input.Limit !== 1
            ? this.#fault('short-page', () => this.#perform(pending, { limit: 1 }))
            : []),
        ];
      },
    };
  }

  #fault(name: FaultName, act: Outcome['act'], variant?: string): Outcome[] {
    if (!this.#mayFault(name)) return [];
    return [{ name: variant ? `${name}-${variant}` : name, fault: name, act }];
  }

  #nextTimer(longestMs: number): Timer | null {
    let next: Timer | null = null;
    for (const timer of this.#timers) {
      if (timer.at > this.now && timer.at - timer.setAt > longestMs) continue;
      if (!next || timer.at < next.at) next = timer;
    }
    return next;
  }

  #timerChoice(timer: Timer): Choice {
    const actor = timer.environment.invocation?.actor ?? timer.environment.fn.name;
    return {
      id: `${actor}/timer`,
      actor,
      kind: 'timer',
      accesses: [],
      label: 'timer',
      describe: () => `${actor} has waited ${timer.at - timer.setAt} ms`,
      outcomes: () => [
        {
          name: 'done',
          fault: null,
          act: () => {
            this.#timers = this.#timers.filter((each) => each !== timer);
            this.#pass(Math.max(this.now, timer.at));
            if (!timer.environment.isDead) timer.fire();
          },
        },
      ],
    };
  }

  /** What waits for a later time, if nothing else can happen. */
  #lateChoice(): Choice | null {
    const timer = this.#nextTimer(Number.POSITIVE_INFINITY);
    const messages = this.#sources.flatMap(({ source }) =>
      source.queue ? (this.outside.queues[source.queue.name] ?? []) : [],
    );
    const visibleAt = Math.min(...messages.map((each) => each.visibleAt));
    if (timer && timer.at <= visibleAt) return this.#timerChoice(timer);
    if (visibleAt === Number.POSITIVE_INFINITY) return null;
    for (const state of this.#sources) {
      const choice = deliverChoice(this.#scene, state, visibleAt);
      if (choice) return choice;
    }
    return null;
  }

  #mayFault(name: FaultName): boolean {
    return this.faultsLeft > 0 && (this.#scenario.faults.only?.includes(name) ?? true);
  }

  #optional(): Choice[] {
    const found: Choice[] = [];
    for (const state of this.#sources) {
      const choice = fireChoice(this.#scene, state) ?? redeliveryChoice(this.#scene, state);
      if (choice) found.push(choice);
    }
    if (this.rows.expirable(this.now)) {
      found.push({
        id: 'ttl',
        actor: 'time to live',
        kind: 'optional',
        accesses: this.#platform.functions.tables
          .filter(({ expires }) => expires)
          .map(({ name }) => ({ place: name, writes: true })),
        label: 'time to live',
        describe: () => 'the time to live deletes what has expired',
        outcomes: () => [{ name: 'done', fault: null, act: () => void this.rows.expire(this.now) }],
      });
    }
    const moves = this.#scenario.clockMoves ?? [];
    if (moves.length > 0 && this.#mayFault('clock')) {
      found.push({
        id: `clock ${this.faultsLeft}`,
        actor: 'clock',
        kind: 'optional',
        accesses: [],
        label: 'clock',
        describe: () => 'the clock moves',
        outcomes: () =>
          moves.map((ms) => ({ name: `by ${ms} ms`, fault: 'clock' as const, act: () => this.#pass(this.now + ms) })),
      });
    }
    return found;
  }

  #endChoice(): Choice {
    return {
      id: 'end',
      actor: 'end',
      kind: 'end',
      accesses: [],
      label: 'end',
      describe: () => 'nothing more happens',
      outcomes: () => [
        {
          name: 'done',
          fault: null,
          act: () => {
            this.#isFair = true;
          },
        },
      ],
    };
  }

  #idle(fn: Runnable): Environment | undefined {
    return this.#environments.findLast((each) => each.fn === fn && !each.isDead && !each.invocation);
  }

  #invoke(
    actor: string,
    id: string,
    fn: Runnable,
    event: unknown,
    how: 'warm' | 'cold',
    finish: (ended: Ended) => void,
  ): Invocation {
    const environment = (how === 'warm' && !this.#isExhaustive ? this.#idle(fn) : undefined) ?? this.#environment(fn);
    const invocation: Invocation = {
      actor,
      fn,
      environment,
      deadline: this.now + fn.timeoutMs,
      asked: 0,
      seen: textHash(id),
      finish: (ended) => {
        environment.invocation = null;
        environment.seen = (environment.seen * 31 + invocation.seen) >>> 0;
        this.#timers = this.#timers.filter((each) => each.environment !== environment);
        this.#pending = this.#pending.filter((each) => each.environment !== environment);
        finish(ended);
      },
    };
    environment.invocation = invocation;
    this.invoked.add(fn.file);
    environment.seed(id);
    const context = {
      awsRequestId: id,
      functionName: fn.id,
      getRemainingTimeInMillis: () => invocation.deadline - this.now,
    };
    this.#handlerOf(environment)
      .then((handler) => handler(event, context))
      .then(
        (value) => {
          if (!environment.isDead) invocation.finish({ how: 'answered', value });
        },
        (error: unknown) => {
          // The chain of a route answers every error, so this one is of the explorer or of loading.
          if (fn.route) this.#failure ??= error;
          if (!environment.isDead) invocation.finish({ how: 'failed', error });
        },
      );
    return invocation;
  }

  async #handlerOf(environment: Environment): Promise<NonNullable<Environment['handler']>> {
    if (environment.handler) return environment.handler;
    const { fn, load } = environment;
    const { handler, atInit } = load(fn.file) as {
      handler: NonNullable<Environment['handler']>;
      atInit?: { read?: unknown };
    };
    environment.handler = handler;
    if (fn.atInit && atInit?.read) {
      const { initialize } = load(`${this.#platform.root}/lib/runtime/initialize.ts`) as {
        initialize: (table: unknown, options: unknown) => Promise<void>;
      };
      await initialize(fn.atInit, { ...atInit, variables: fn.variables });
    }
    return handler;
  }

  #environment(fn: Runnable): Environment {
    const { modules, packages } = this.#platform;
    const surroundings = environmentGlobals({
      now: () => {
        const { invocation } = environment;
        // The time that an invocation knows is an answer that it saw.
        if (this.#isExhaustive && invocation && invocation.knownTime !== this.now) {
          invocation.knownTime = this.now;
          invocation.seen = (invocation.seen + textHash(`time ${this.now}`)) >>> 0;
        }
        return this.now;
      },
      addTimer: (ms, fire) => {
        this.#timerIds += 1;
        this.#timers.push({ id: this.#timerIds, at: this.now + ms, setAt: this.now, environment, fire });
        return this.#timerIds;
      },
      removeTimer: (id) => {
        this.#timers = this.#timers.filter((each) => each.id !== id);
      },
      write: (line) => {
        this.logs.push(line);
      },
      variables: fn.variables,
    });
    const sdk = packages((asked) => this.#ask(environment, asked));
    const environment: Environment = {
      number: this.#environments.length,
      fn,
      load: modules.environment(surroundings.globals, (specifier) => surroundings.builtIn(specifier) ?? sdk(specifier)),
      seed: surroundings.seed,
      handler: null,
      invocation: null,
      isDead: false,
      seen: 0,
    };
    this.#environments.push(environment);
    return environment;
  }

  #ask(environment: Environment, asked: Asked): Promise<unknown> {
    const { invocation } = environment;
    return new Promise((resolve, reject) => {
      // Nobody hears the answer of a dead environment.
      if (environment.isDead || !invocation) return;
      invocation.asked += 1;
      const id = `${invocation.actor}>${invocation.asked}`;
      const accesses =
        asked.service === 'dynamodb'
          ? accessesOf(asked.action, asked.input, this.#keys)
          : [placeOutside(asked.service, asked.action, asked.input)].filter((each) => each !== null);
      this.#pending.push({ id, environment, invocation, asked, attempt: 1, accesses, resolve, reject });
    });
  }

  /** Does a call without a schedule. */
  async atOnce(service: string, action: string, input: Record<string, unknown>): Promise<unknown> {
    const answered = await this.#answerTo({ service, action, input });
    if ('error' in answered) throw answered.error;
    return answered.value;
  }

  async #perform(pending: Pending, change: { asOf?: number; limit?: number } = {}): Promise<void> {
    this.#settle(pending, await this.#answer(pending, change));
  }

  async #answer(
    { asked }: Pending,
    change: { asOf?: number; limit?: number } = {},
  ): Promise<{ value: unknown } | { error: unknown }> {
    return this.#answerTo(asked, change);
  }

  async #answerTo(
    { service, action, input }: Pick<Asked, 'service' | 'action' | 'input'>,
    { asOf, limit }: { asOf?: number; limit?: number } = {},
  ): Promise<{ value: unknown } | { error: unknown }> {
    try {
      if (service !== 'dynamodb') return { value: answerOutside(this.outside, service, action, input, this.now) };
      return { value: await this.rows.execute(action, limit === undefined ? input : { ...input, Limit: limit }, asOf) };
    } catch (error) {
      if (isFailure(error)) return { error: this.#errors.ofDynamo(error) };
      if (error instanceof OutsideFailure) return { error: this.#errors.ofOutside(service, error) };
      this.#failure ??= error;
      return { error };
    }
  }

  #settle(pending: Pending, answered: { value: unknown } | { error: unknown }): void {
    this.#pending = this.#pending.filter((each) => each !== pending);
    const { invocation, id } = pending;
    if (this.#isExhaustive) invocation.seen = (invocation.seen + textHash(`${id} ${seenIn(answered)}`)) >>> 0;
    if ('error' in answered) pending.reject(answered.error);
    else pending.resolve(answered.value);
  }

  /** The SDK tries again, or gives the error to the function. */
  #retry(pending: Pending, error: unknown): void {
    const { name, $fault } = error as { name?: string; $fault?: string };
    const isRetried =
      /Throttl|TooManyRequests|ProvisionedThroughput|TimeoutError|RequestLimit/.test(name ?? '') || $fault === 'server';
    if (!isRetried || pending.attempt >= pending.asked.maxAttempts) {
      this.#settle(pending, { error });
      return;
    }
    this.#pending = this.#pending.map((each) =>
      each === pending ? { ...pending, attempt: pending.attempt + 1 } : each,
    );
  }

  #kill(environment: Environment, how: 'died' | 'out of time'): void {
    const { invocation } = environment;
    environment.isDead = true;
    this.#pending = this.#pending.filter((each) => each.environment !== environment);
    this.#timers = this.#timers.filter((each) => each.environment !== environment);
    invocation?.finish({ how });
  }

  #pass(now: number): void {
    this.now = now;
    for (const environment of this.#environments) {
      const { invocation } = environment;
      if (invocation && !environment.isDead && invocation.deadline < now - mostSkewMs)
        this.#kill(environment, 'out of time');
    }
  }
}

function isLoose(input: Record<string, unknown>): boolean {
  return Object.values((input.RequestItems ?? {}) as Record<string, { ConsistentRead?: boolean }>).some(
    ({ ConsistentRead }) => !ConsistentRead,
  );
}

function seenIn(answered: { value: unknown } | { error: unknown }): string {
  return 'error' in answered ? String((answered.error as Error)?.name) : JSON.stringify(answered.value);
}

/** What this process waits for: a hint, since other parts of it (a test runner) may wait, too. */
function openResources(): string {
  const names = process
    .getActiveResourcesInfo()
    .filter((name) => !/^(TTYWrap|PipeWrap|MessagePort|Immediate)/.test(name));
  return names.length > 0 ? ` (this process has open: ${[...new Set(names)].join(', ')})` : '';
}
