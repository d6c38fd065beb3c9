import type { openModules } from '../local/functions/modules.ts';
import type { Outcome } from './choices.ts';
import type { sdkPackages } from './clients.ts';
import type { Functions } from './functions.ts';
import { copyOf, type OutsideState } from './outside/state.ts';
import { Rows, type RowsState } from './rows.ts';
import { type FaultName, faultNames, type Scenario } from './scenario.ts';

/** What all parts of one schedule share: its time, its stores, its story, and the faults that are left. */

export type State = { readonly rows: RowsState; readonly outside: OutsideState; readonly now: number };

export type Platform = {
  readonly root: string;
  readonly functions: Functions;
  readonly modules: ReturnType<typeof openModules>;
  readonly packages: ReturnType<typeof sdkPackages>;
  readonly clock: { now: () => number };
};

export type WorldOptions = {
  /** Receives the pairs of calls that were seen in this order. */
  readonly pairs?: Set<string>;
  readonly faults?: number;
  /** Whether the story is written in words. */
  readonly hasStory?: boolean;
  /** For an exhaustive exploration: each invocation is a cold start. */
  readonly isExhaustive?: boolean;
  /** Of the set-up: its deliveries draw other random values than those of the schedule, which are numbered from 1, too. */
  readonly isSetUp?: boolean;
  /** Receives every promise that does not hold; without it the first one ends the judgement. */
  readonly broken?: Set<string>;
  /** Whether the rest of the schedule was explored before, so that nothing is judged. */
  readonly isCut?: () => boolean;
};

export class Ground {
  now: number;
  steps = 0;
  faultsLeft: number;
  /** Nothing that may stay away happens any more. */
  isFair = false;
  /** Of the explorer or of a client, not of a function. */
  failure: unknown;
  readonly platform: Platform;
  readonly scenario: Scenario;
  readonly rows: Rows;
  readonly outside: OutsideState;
  /** Batches, messages and runs that were given up. */
  readonly deadLetters: { from: string; body: string }[] = [];
  readonly logs: string[] = [];
  /** As in the end. */
  readonly unseen = new Set<string>();
  readonly story: string[] = [];
  readonly isExhaustive: boolean;
  /** The names of each table's keys. */
  readonly keys: ReadonlyMap<string, readonly [string, string | undefined]>;
  readonly #hasStory: boolean;

  constructor(platform: Platform, scenario: Scenario, state: State, options: WorldOptions) {
    this.platform = platform;
    this.scenario = scenario;
    this.now = state.now;
    this.rows = new Rows(state.rows, () => this.now);
    this.outside = copyOf(state.outside);
    this.faultsLeft = options.faults ?? scenario.faults?.most ?? 2;
    this.isExhaustive = options.isExhaustive ?? false;
    this.#hasStory = options.hasStory ?? false;
    this.keys = new Map(
      platform.functions.tables.map(({ name, partitionKey, sortKey }) => [name, [partitionKey, sortKey]]),
    );
  }

  /** The first failure counts. */
  fail(error: unknown): void {
    this.failure ??= error;
  }

  tell(line: () => string): void {
    if (this.#hasStory) this.story.push(line());
  }

  mayFault(name: FaultName): boolean {
    return this.faultsLeft > 0 && (this.scenario.faults?.only ?? faultNames).includes(name);
  }

  /** @returns none where the fault may not happen */
  fault(name: FaultName, act: Outcome['act'], variant?: string): Outcome[] {
    if (!this.mayFault(name)) return [];
    return [{ name: variant ? `${name}-${variant}` : name, fault: name, act }];
  }
}
