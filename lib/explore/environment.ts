import type { Loaded } from '../local/functions/modules.ts';
import type { Ended } from './events.ts';
import type { Runnable } from './functions.ts';
import type { Seen } from './unseen-writes.ts';

/** An execution environment of a function, and the invocation that it is at. */

export type Handler = (event: unknown, context: unknown) => Promise<unknown>;

export type Environment = {
  readonly number: number;
  readonly fn: Runnable;
  readonly load: Loaded;
  readonly seed: (text: string) => void;
  handler: Handler | null;
  invocation: Invocation | null;
  isDead: boolean;
  /** What its invocations saw: warm environments with the same are the same. */
  seen: number;
};

export type Invocation = {
  readonly actor: string;
  /** Of the invocation alone: its random values follow from it. */
  readonly id: string;
  readonly fn: Runnable;
  readonly environment: Environment;
  readonly deadline: number;
  knownTime?: number;
  /** The step at which a client called. */
  begun?: number;
  asked: number;
  seen: number;
  readonly rows: Seen;
  readonly finish: (result: Ended) => void;
};
