import type { Application } from '../contract/register.ts';
import type { OutsideState } from './outside/state.ts';
import type { Random } from './random.ts';

/** What a scenario declares: who calls what at the same time, what may fail, and what must hold in the end. */

export type Person = {
  readonly userId: string;
  readonly application: Application;
  readonly roles: readonly string[];
  readonly username?: string;
};

export type Request = {
  /** The session of the caller's access token, and when it began (seconds since 1970). Absent: one that began just now, and never ends. */
  readonly session?: { readonly sessionId: string; readonly signedInAt: number };
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** `status` 0: no answer reached the client. 502 and 504: the function died, or ran out of time. */
export type Answer = {
  readonly status: number;
  readonly body: Record<string, never> & Record<string, unknown>;
  /** Null where it has none. */
  readonly etag: string | null;
};

export type Client = {
  /** Calls a route by its operation's id, and waits for the answer. */
  readonly call: (operation: string, request?: Request) => Promise<Answer>;
  /** The same again until a function answers, as an app does: 502, 503, 504 and no answer are repeated, four times at most. */
  readonly insist: (operation: string, request?: Request) => Promise<Answer>;
  /** Puts rows in one transaction at once, as an operator's command does that no function stands for. */
  readonly put: (table: string, ...rows: readonly Row[]) => Promise<void>;
  /** Reads all mails that were sent, once there are so many; waits in vain if they never come. */
  readonly mails: (atLeast: number) => Promise<OutsideState['mails']>;
};

/** One call of a client, as a history for linearizability: `begun` and `ended` are numbers of steps. */
export type Call = {
  readonly client: string;
  readonly operation: string;
  readonly request: Request;
  readonly answer: Answer;
  readonly begun: number;
  readonly ended: number;
};

// biome-ignore lint/suspicious/noExplicitAny: a row of any table, which the invariant knows
export type Row = Record<string, any>;

/** What is there when everything has come to rest. */
export type End = {
  readonly rows: (table: string) => Row[];
  readonly calls: readonly Call[];
  readonly outside: OutsideState;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Batches and messages that were given up. */
  readonly deadLetters: readonly { readonly from: string; readonly body: string }[];
  /** Every change of a table, in commit order; `number` increases over all tables (of tables without a stream it is the place). */
  readonly changes: (
    table: string,
  ) => readonly { readonly number: number; readonly before: Row | null; readonly after: Row | null }[];
  /** Every value that a function has logged of a metric, in order: an alarm stands on the last one. */
  readonly metric: (name: string) => readonly number[];
  /** Every row that was written since the start, of all tables, in commit order; rows of one transaction have one `commit`. */
  readonly written: () => readonly {
    readonly table: string;
    readonly commit: number;
    readonly before: Row | null;
    readonly after: Row | null;
  }[];
  /** Writes under a condition on what their function had not seen as it was: `issueTokens Sessions tokenHash`. */
  readonly unseen: readonly string[];
  /** Calls a route when everything has come to rest, without a fault. */
  readonly call: (person: Person, operation: string, request?: Request) => Promise<Answer>;
  /** Clients for our own checks, as in the set-up. */
  // biome-ignore lint/suspicious/noExplicitAny: the client of whichever service
  readonly client: (service: string) => any;
};

type Faults = {
  /** The most faults of one schedule; two by default. */
  readonly most?: number;
  /** Those that may happen; all by default. */
  readonly only?: readonly FaultName[];
};

export const faultNames = [
  'lost',
  'throttled',
  'conflict',
  'time-out',
  'dies-before',
  'dies-after',
  'stale',
  'short-page',
  'twice',
  'unheard',
  'clock',
] as const;

/** `refused`: throttled at each try of the SDK. Only where a scenario names it. */
export type FaultName = (typeof faultNames)[number] | 'refused';

/** Sets up the state from which every schedule begins. */
export type SetUp = {
  /** @param as the name of the client whose first call shall draw the same random values as this one */
  readonly call: (person: Person, operation: string, request?: Request, as?: string) => Promise<Answer>;
  readonly put: (table: string, ...rows: readonly Row[]) => Promise<void>;
  readonly outside: OutsideState;
  /** Clients for the domains' seeds: calls are done at once. `client('s3')`, `client('dynamodb')` is the document client. */
  // biome-ignore lint/suspicious/noExplicitAny: the client of whichever service
  readonly client: (service: string) => any;
  /** Handles of all tables, by name, for the domains' seeds. */
  // biome-ignore lint/suspicious/noExplicitAny: each seed declares the tables that it needs
  readonly tables: any;
  /** Runs a scheduled function once. */
  readonly run: (consumer: string) => Promise<void>;
  /** Lets streams and queues come to rest. */
  readonly settle: () => Promise<void>;
  readonly now: () => number;
  readonly pass: (ms: number) => void;
};

export type Invariant = (end: End) => void | Promise<void>;

type Clients = Readonly<Record<string, { readonly as: Person; readonly does: (client: Client) => Promise<unknown> }>>;

export type Scenario = {
  readonly name: string;
  readonly domain: string;
  /** One sentence for docs/reliability.md. */
  readonly says: string;
  readonly setUp?: (setUp: SetUp) => Promise<void>;
  /** Over those that its functions have in `prod`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** By the client's name in the story. Each runs beside the others. */
  readonly clients: Clients;
  /** Each seed draws another workload; `clients` is one of them. */
  readonly drawn?: (random: Random) => Clients;
  /** The streams', queues' and topics' consumers that take part. */
  readonly consumers?: readonly string[];
  /** Scheduled functions, and how often each may run among the clients' calls. */
  readonly schedules?: Readonly<Record<string, number>>;
  /** Scheduled functions that run once more in the end, in this order, each after its interval, until `settled` holds. */
  readonly finally?: readonly string[];
  /** How far the clock may jump, in milliseconds. */
  readonly clockMoves?: readonly number[];
  /** Milliseconds since 1970 at the start. */
  readonly at?: number;
  readonly faults?: Faults;
  /** Each throws where it does not hold. The name is the promise in plain words. */
  readonly invariants: Readonly<Record<string, Invariant>>;
  /** Explored exhaustively by default, within these bounds. */
  readonly exhaustive?: { readonly faults: number; readonly most: number };
};
