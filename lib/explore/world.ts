import type { Application } from '../contract/register.ts';
import { conflictOf, throttledBy } from '../local/dynamodb/calls.ts';
import { isFailure } from '../local/dynamodb/failures.ts';
import { recordOf } from '../local/dynamodb/stream-log.ts';
import { type Asked, received, type sdkPackages } from './clients.ts';
import type { Functions, Runnable, Source } from './functions.ts';
import type { Loaded, openModules } from './modules.ts';
import { type Access, accessesOf, PartialOrder, textHash } from './order.ts';
import { answerOutside, copyOf, OutsideFailure, type OutsideState, placeOutside } from './outside.ts';
import { Rows, type RowsState } from './rows.ts';
import type { Answer, Call, End, FaultName, Person, Request, Row, Scenario } from './scenario.ts';
import { environmentGlobals } from './virtual-globals.ts';

/** One schedule of a scenario, in virtual time: what could happen next, and what happens when it is chosen. */

export type Outcome = {
  readonly name: string;
  readonly fault: FaultName | null;
  readonly act: () => void | Promise<void>;
};

export type Choice = {
  /** The same for the same step in another schedule. */
  readonly id: string;
  readonly actor: string;
  /** `optional`: a schedule may end without it. */
  readonly kind: 'start' | 'call' | 'timer' | 'deliver' | 'optional' | 'end';
  readonly accesses: readonly Access[];
  /** Function, action and table, for the pairs of calls. */
  readonly label: string;
  readonly describe: () => string;
  readonly outcomes: () => Outcome[];
};

export type Taken = { readonly id: string; readonly outcome: string };

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

type Ended =
  | { readonly how: 'answered'; readonly value: unknown }
  | { readonly how: 'failed'; readonly error: unknown }
  | { readonly how: 'died' | 'out of time' };

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

type SourceState = {
  readonly source: Source;
  readonly actor: string;
  cursor: number;
  last: readonly [from: number, to: number] | null;
  running: number;
  attempts: number;
  delivered: number;
  fires: number;
};

export type WorldOptions = {
  /** Receives the pairs of calls that were seen in this order. */
  readonly pairs?: Set<string>;
  readonly faults?: number;
  /** Whether the story is written in words. */
  readonly tells?: boolean;
  /** For an exhaustive exploration: each invocation is a cold start. */
  readonly isExhaustive?: boolean;
  /** Whether the rest of the schedule was explored before, so that nothing is judged. */
  readonly isCut?: () => boolean;
};

/** The story did not come to rest, or waits for something that the explorer does not decide. */
export class Stuck extends Error {}

const mostSteps = 4000;
/** A timer that waits longer limits an invocation or a call; it fires only when nothing else can happen. */
const shortMs = 2500;
const visibilityMs = 360_000;
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
  faultsLeft: number;
  steps = 0;
  readonly #scenario: Scenario;
  readonly #platform: Platform;
  readonly #keys: Map<string, [string, string | undefined]>;
  #pending: Pending[] = [];
  #timers: Timer[] = [];
  #starts: Start[] = [];
  #puttings: Putting[] = [];
  #environments: Environment[] = [];
  #sources: SourceState[] = [];
  #timerIds = 0;
  #clientsOpen = 0;
  readonly #clientSeen = new Map<string, number>();
  #failure: unknown;
  #isFair = false;
  readonly #tells: boolean;
  readonly #isExhaustive: boolean;

  constructor(platform: Platform, scenario: Scenario, state: State, options: WorldOptions = {}) {
    this.#platform = platform;
    this.#scenario = scenario;
    this.now = state.now;
    this.rows = new Rows(state.rows, () => this.now);
    this.outside = copyOf(state.outside);
    this.faultsLeft = options.faults ?? scenario.faults.most;
    this.pairs = options.pairs ?? new Set();
    this.#tells = options.tells ?? false;
    this.#isExhaustive = options.isExhaustive ?? false;
    this.#keys = new Map(
      platform.functions.tables.map(({ name, partitionKey, sortKey }) => [name, [partitionKey, sortKey]]),
    );
    platform.clock.now = () => this.now;
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
          last: null,
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
    const insist = async (operation: string, request: Request = {}) => {
      let answer = await call(operation, request);
      for (let again = 0; again < 4 && [0, 502, 503, 504].includes(answer.status); again += 1)
        answer = await call(operation, request);
      return answer;
    };
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
      const open = process
        .getActiveResourcesInfo()
        .filter((name) => !/^(TTYWrap|PipeWrap|MessagePort|Immediate|Worker)/.test(name));
      throw new Stuck(
        `${invocation.actor} waits for something that the scheduler does not decide: ${open.join(', ') || 'a promise that nothing settles'}`,
      );
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
      const choice = this.#deliverChoice(state, this.now);
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
    this.taken.push({ id: choice.id, outcome: outcome.name });
    if (this.#tells)
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
          if (this.#tells) this.story.push(`(at rest) ${id} runs`);
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
    const unmarshall = (item: unknown) => read(received(item));
    return {
      rows: (table) => this.rows.items(table).map((item) => unmarshall(item)),
      calls: this.calls,
      outside: this.outside,
      now: this.now,
      deadLetters: [...this.deadLetters, ...this.outside.deadLetters],
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
        if (this.#tells)
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
      describe: () => `${client} puts ${accesses.map(told).join(', ')}`,
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
        `${invocation.actor} ${invocation.fn.id}: ${action} ${isDynamo ? accesses.map(told).join(', ') : place}`,
      outcomes: () => {
        const reads = isDynamo && /^(GetItem|Query|Scan|BatchGetItem)$/.test(action);
        const isStale = reads && action !== 'BatchGetItem' ? input.ConsistentRead !== true : reads && isLoose(input);
        const earlier = isStale ? this.rows.earlier([...new Set(accesses.map(({ place: table }) => table))]) : [];
        const oldest = earlier.at(-1);
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
            this.#retry(pending, 'error' in answered ? answered.error : this.#timeOut());
          }),
          ...this.#fault('throttled', () => this.#retry(pending, this.#throttling(pending))),
          ...(isDynamo && conflictOf({ action, input, accessKeyId: '', headers: {} })
            ? this.#fault('conflict', () =>
                this.#settle(pending, {
                  error: this.#dynamoError(conflictOf({ action, input, accessKeyId: '', headers: {} })),
                }),
              )
            : []),
          ...this.#fault('time-out', () => {
            this.now += asked.limitMs;
            this.#retry(pending, this.#timeOut());
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
    const { only } = this.#scenario.faults;
    if (this.faultsLeft <= 0 || (only && !only.includes(name))) return [];
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
      const choice = this.#deliverChoice(state, visibleAt);
      if (choice) return choice;
    }
    return null;
  }

  #deliverChoice(state: SourceState, at: number): Choice | null {
    const { stream, queue } = state.source;
    if (stream) return this.#streamChoice(state, stream);
    if (queue) return this.#queueChoice(state, queue, at);
    return null;
  }

  #streamChoice(state: SourceState, stream: NonNullable<Source['stream']>): Choice | null {
    if (state.running > 0) return null;
    const { changes } = this.rows;
    const waiting: number[] = [];
    for (let index = state.cursor; index < changes.length; index += 1)
      if (changes[index]?.table === stream.table) waiting.push(index);
    if (waiting.length === 0 && !(state.last && this.#mayFault('twice'))) return null;
    if (waiting.length === 0) return null;
    const { actor } = state;
    const deliver = (indexes: readonly number[]) => () => {
      state.running += 1;
      state.delivered += 1;
      const arn = `arn:aws:dynamodb:eu-central-1:000000000000:table/${stream.table}/stream/1`;
      const batch = indexes.map((index) => changes[index]).filter((change) => change !== undefined);
      const Records = batch.map(({ number, entry }) => ({
        ...recordOf({ arn, viewType: 'NEW_AND_OLD_IMAGES' }, number, entry, 'eu-central-1'),
        eventSourceARN: arn,
      }));
      this.#invoke(actor, `${actor}/${state.delivered}`, state.source.fn, { Records }, 'warm', (ended) => {
        state.running -= 1;
        const failed = failedIn(ended, Records);
        const next = (indexes.at(-1) ?? 0) + 1;
        if (failed === null) {
          state.last = [indexes[0] ?? 0, next];
          state.cursor = Math.max(state.cursor, next);
          state.attempts = 0;
          return;
        }
        state.cursor = indexes[failed] ?? state.cursor;
        state.attempts = failed > 0 ? 1 : state.attempts + 1;
        if (state.attempts <= stream.retries) return;
        this.deadLetters.push({ from: actor, body: JSON.stringify(Records.slice(failed)) });
        state.cursor = next;
        state.attempts = 0;
      });
    };
    const batch = waiting.slice(0, stream.batchSize);
    const again = state.last;
    return {
      id: `${actor}/deliver ${state.delivered + 1}`,
      actor,
      kind: 'deliver',
      accesses: [{ place: stream.table, writes: false }],
      label: `${state.source.fn.id} takes ${stream.table}`,
      describe: () => `${actor} gets ${batch.length} of ${waiting.length} changes of ${stream.table}`,
      outcomes: () => [
        { name: 'done', fault: null, act: deliver(batch) },
        ...(batch.length > 1 ? [{ name: 'one', fault: null, act: deliver(batch.slice(0, 1)) }] : []),
        ...(again
          ? this.#fault(
              'twice',
              deliver([...waitingAgain(changes, stream.table, again), ...batch].slice(0, stream.batchSize)),
            )
          : []),
      ],
    };
  }

  #mayFault(name: FaultName): boolean {
    return this.faultsLeft > 0 && (this.#scenario.faults.only?.includes(name) ?? true);
  }

  #queueChoice(state: SourceState, queue: NonNullable<Source['queue']>, at: number): Choice | null {
    if (state.running >= 2) return null;
    const all = this.outside.queues[queue.name] ?? [];
    const visible = all.filter(({ visibleAt }) => visibleAt <= at);
    if (visible.length === 0) return null;
    const deliver = (index: number, isKept: boolean) => () => {
      const message = visible[index];
      if (!message) return;
      this.#pass(Math.max(this.now, at));
      state.running += 1;
      state.delivered += 1;
      const left = () => (this.outside.queues[queue.name] ?? []).filter(({ id }) => id !== message.id);
      this.outside.queues[queue.name] = left();
      const receives = message.receives + 1;
      const Records = [
        {
          messageId: message.id,
          receiptHandle: `${message.id}-${receives}`,
          body: message.body,
          attributes: { ApproximateReceiveCount: String(receives), SentTimestamp: String(this.now) },
          messageAttributes: {},
          eventSource: 'aws:sqs',
        },
      ];
      const actor = `${state.actor}${state.running > 1 ? ' beside it' : ''}`;
      this.#invoke(actor, `${actor}/${state.delivered}`, state.source.fn, { Records }, 'warm', (ended) => {
        state.running -= 1;
        const failures =
          ended.how === 'answered'
            ? ((ended.value as { batchItemFailures?: unknown[] } | null)?.batchItemFailures ?? [])
            : [1];
        const isDone = failures.length === 0;
        if (isDone && !isKept) return;
        if (!isDone && receives >= queue.maxReceives) {
          this.deadLetters.push({ from: queue.name, body: message.body });
          return;
        }
        const visibleAt = isDone ? this.now : this.now + visibilityMs;
        this.outside.queues[queue.name] = [...left(), { ...message, receives, visibleAt }];
      });
    };
    return {
      id: `${state.actor}/message ${state.delivered + 1}`,
      actor: `${state.actor}${state.running > 0 ? ' beside it' : ''}`,
      kind: 'deliver',
      accesses: [{ place: `queue ${queue.name}`, writes: true }],
      label: `${state.source.fn.id} takes ${queue.name}`,
      describe: () => `${state.actor} gets one of ${visible.length} messages of ${queue.name}`,
      outcomes: () => [
        { name: 'done', fault: null, act: deliver(0, false) },
        ...(visible.length > 1 ? [{ name: 'another', fault: null, act: deliver(visible.length - 1, false) }] : []),
        ...this.#fault('twice', deliver(0, true)),
      ],
    };
  }

  #optional(): Choice[] {
    const found: Choice[] = [];
    for (const state of this.#sources) {
      if (!state.source.everySeconds || state.fires <= 0 || state.running > 0) continue;
      found.push({
        id: `${state.actor}/fires ${state.fires}`,
        actor: state.actor,
        kind: 'optional',
        accesses: [],
        label: `${state.source.fn.id} fires`,
        describe: () => `${state.actor} runs by its schedule`,
        outcomes: () => [
          { name: 'done', fault: null, act: () => this.#fire(state, state.actor) },
          // EventBridge may send an event twice, and a run may last longer than its interval.
          ...this.#fault(
            'twice',
            () => {
              this.#fire(state, state.actor);
              state.fires += 1;
              this.#fire(state, `${state.actor} beside it`);
            },
            'at-once',
          ),
        ],
      });
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

  #fire(state: SourceState, actor: string): void {
    state.fires -= 1;
    state.running += 1;
    // Each run has random numbers of its own, also one that Lambda tries again.
    state.delivered += 1;
    const id = `${actor}/run ${state.delivered}`;
    this.#invoke(actor, id, state.source.fn, scheduledEvent(this.now), 'warm', (ended) => {
      state.running -= 1;
      // Lambda tries an event of a schedule again.
      if (ended.how !== 'answered' && state.attempts < 2) {
        state.attempts += 1;
        state.fires += 1;
      }
    });
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
      if (isFailure(error)) return { error: this.#dynamoError(error) };
      if (error instanceof OutsideFailure) return { error: this.#outsideError(service, error) };
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

  #throttling({ asked: { service, action, input } }: Pending): unknown {
    if (service === 'dynamodb') return this.#dynamoError(throttledBy({ action, input, accessKeyId: '', headers: {} }));
    const error = new Error('Rate exceeded');
    return Object.assign(error, {
      name: service === 's3' ? 'SlowDown' : 'ThrottlingException',
      $fault: service === 's3' ? 'server' : 'client',
      $metadata: { httpStatusCode: service === 's3' ? 503 : 400 },
    });
  }

  #timeOut(): unknown {
    return Object.assign(new Error('no answer in time'), { name: 'TimeoutError', $metadata: {} });
  }

  #dynamoError(failure: unknown): unknown {
    if (!isFailure(failure)) return failure;
    const { __type, message, ...more } = failure.body as { __type: string; message: string };
    const name = __type.slice(__type.indexOf('#') + 1);
    // As they come from the wire: the rows in an error are plain objects.
    const plain = JSON.parse(JSON.stringify(more)) as object;
    // The SDK's own words for an error without a message.
    return this.#sdkError('@aws-sdk/client-dynamodb', name, message || 'UnknownError', failure.statusCode, plain);
  }

  #outsideError(service: string, { name, message }: OutsideFailure): unknown {
    return this.#sdkError(`@aws-sdk/client-${service}`, name, message, 400, {});
  }

  #sdkError(specifier: string, name: string, message: string, status: number, more: object): unknown {
    const classes = this.#platform.modules.native(specifier) as Record<string, new (given: object) => Error>;
    const Class = classes[name];
    const given = { message, $metadata: { httpStatusCode: status }, ...more };
    const $fault = status >= 500 ? 'server' : 'client';
    return Object.assign(Class ? new Class(given) : new Error(message), {
      name,
      $fault,
      $metadata: given.$metadata,
      ...more,
    });
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

const nothing: Answer = { status: 0, body: {}, etag: null };

const words: Readonly<Record<string, string>> = {
  lost: 'done, but its answer is lost',
  throttled: 'throttled',
  conflict: 'refused, because another transaction is under way',
  'time-out': 'no answer in time, and not done',
  'dies-before': 'the function dies before it',
  'dies-after': 'done, and the function dies',
  stale: 'answers an earlier state',
  'stale-oldest': 'answers the oldest state',
  'short-page': 'gives a page of one',
  twice: 'and will get it again',
  'twice-at-once': 'and once more beside it',
  unheard: 'and will hear no answer',
  cold: 'in a new environment',
  one: 'only the first of them',
  another: 'the last one',
};

function tablesOf(accesses: readonly Access[]): string {
  return [...new Set(accesses.map(({ place }) => place))].join('+');
}

function told({ place, partition, sort }: Access): string {
  const value = (text: string) => Object.values(JSON.parse(text) as Record<string, string>)[0];
  const key = [partition, sort].flatMap((part) => (part ? [value(part)] : []));
  return key.length > 0 ? `${place}(${key.join(', ')})` : place;
}

function isLoose(input: Record<string, unknown>): boolean {
  return Object.values((input.RequestItems ?? {}) as Record<string, { ConsistentRead?: boolean }>).some(
    ({ ConsistentRead }) => !ConsistentRead,
  );
}

function waitingAgain(
  changes: readonly { table: string }[],
  table: string,
  [from, to]: readonly [number, number],
): number[] {
  const found: number[] = [];
  for (let index = from; index < to; index += 1) if (changes[index]?.table === table) found.push(index);
  return found;
}

function failedIn(ended: Ended, records: readonly Record<string, unknown>[]): number | null {
  if (ended.how !== 'answered') return 0;
  const { batchItemFailures = [] } = (ended.value ?? {}) as { batchItemFailures?: { itemIdentifier: string }[] };
  const [first] = batchItemFailures;
  if (!first) return null;
  const index = records.findIndex(
    (record) => (record.dynamodb as { SequenceNumber: string }).SequenceNumber === first.itemIdentifier,
  );
  return Math.max(index, 0);
}

function seenIn(answered: { value: unknown } | { error: unknown }): string {
  return 'error' in answered ? String((answered.error as Error)?.name) : JSON.stringify(answered.value);
}

function answerOf(ended: Ended): Answer {
  if (ended.how === 'out of time') return { ...nothing, status: 504 };
  if (ended.how !== 'answered') return { ...nothing, status: 502 };
  const { statusCode, headers, body } = ended.value as {
    statusCode: number;
    headers?: Record<string, string>;
    body: string;
  };
  const etag = headers?.ETag ?? null;
  return { status: statusCode, body: body ? (JSON.parse(body) as Answer['body']) : {}, etag };
}

function codeOf({ body }: Answer): string {
  const { code } = (body.error ?? body) as { code?: string };
  return code ?? '';
}

function scheduledEvent(now: number) {
  return { source: 'aws.events', 'detail-type': 'Scheduled Event', time: new Date(now).toISOString(), detail: {} };
}

function eventOf(fn: Runnable, person: Person, request: Request, id: string, now: number): unknown {
  const { method = 'GET', path = '/' } = fn.route ?? {};
  const { params = {}, query = {}, headers = {}, body } = request;
  const encoded = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value)]));
  const sent: Record<string, string> = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  };
  const lists = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
  const seconds = String(Math.floor(now / 1000) + 900);
  const { userId, username = userId, roles } = person;
  const authorizer = {
    userId,
    username,
    roles: roles.join(','),
    exp: seconds,
    signedInAt: String(Math.floor(now / 1000) - 10),
  };
  return {
    resource: path,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded[name] ?? ''),
    httpMethod: method,
    headers: sent,
    multiValueHeaders: lists(sent),
    queryStringParameters: query,
    multiValueQueryStringParameters: lists(query),
    pathParameters: encoded,
    stageVariables: null,
    requestContext: {
      requestId: id,
      extendedRequestId: id,
      identity: { sourceIp: '192.0.2.1' },
      authorizer: fn.route?.auth === 'public' ? null : authorizer,
      path,
      stage: 'test',
    },
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
  };
}

export type { Application };
