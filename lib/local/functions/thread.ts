import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Patience } from '../patience.ts';
import { callService, isService } from '../service/service.ts';
import { type Carrier, type Environment, type EnvironmentOptions, environmentOf, type Signals } from './environment.ts';
import { type ErrorReport, ending, outOfMemory } from './result.ts';
import type { FromThread, ThreadData, ToThread } from './thread-worker.ts';
import { variablesOf } from './variables.ts';

/** Execution environments in one thread of this process: what a function needs is loaded once for all of them. */

const root = join(import.meta.dirname, '..', '..', '..');

/** The thread does nothing else any more if it hears nothing for so long after a time-out. */
const stalledMs = 5000;
/** Of all environments together. */
const heapMb = 2048;

/** The functions whose code a change reaches, or why the new code does not run. */
export type Changed = { readonly reaching: readonly string[] } | { readonly error: string };

type Held = {
  readonly on: Signals;
  /** What opens it: once more where the thread ends before it is open. Null once it was said a second time, or it is open. */
  opening: ToThread | null;
};

class Thread {
  readonly #patience: Patience;
  readonly #environments = new Map<number, Held>();
  #worker: Worker | null = null;
  #asked: ((changed: Changed) => void)[] = [];
  #count = 0;
  /** Set while it is unknown whether the thread still hears. */
  #pending: (() => void) | null = null;

  constructor(patience: Patience) {
    this.#patience = patience;
  }

  open(options: EnvironmentOptions): Environment {
    this.#count += 1;
    const id = this.#count;
    return environmentOf(options, (on): Carrier => {
      // Where the thread ends before it begins an invocation, another environment begins it.
      on.message('Q', '0');
      const { fn } = options;
      const inner = Object.values(options.variables).filter(isService);
      const opening: ToThread = { kind: 'open', id, arn: fn.arn, variables: variablesOf(fn, options.variables), inner };
      this.#environments.set(id, { on, opening });
      this.#say(opening);
      return {
        send: (requestId, deadline, event) => this.#say({ kind: 'invoke', id, requestId, deadline, event }),
        kill: () => {
          if (!this.#environments.has(id)) return;
          this.#say({ kind: 'kill', id });
          this.#end(id, ending('signal: killed'));
          this.#ping();
        },
      };
    });
  }

  /** @param files paths @param entries the files that functions begin with */
  change(files: readonly string[], entries: readonly string[]): Promise<Changed> {
    return new Promise((resolve) => {
      this.#asked.push(resolve);
      this.#say({ kind: 'changed', files, entries });
    });
  }

  #say(message: ToThread): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    const workerData: ThreadData = { root, patience: this.#patience };
    const worker = new Worker(new URL('./thread-worker.ts', import.meta.url), {
      workerData,
      // Nothing of the developer's shell: the SDK would read its profile, and the home.
      env: { HOME: '/home/sbx_user1051' },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    // Of a thread that has ended, nothing counts: it goes on to the end of its turn, with the numbers that the next one uses, too.
    worker.on('message', (message: FromThread) => {
      if (this.#worker === worker) this.#hear(message);
    });
    const failed = (how: ErrorReport) => {
      if (this.#worker === worker) this.#fail(how);
    };
    worker.on('error', (error) => {
      const isFull = Object(error).code === 'ERR_WORKER_OUT_OF_MEMORY';
      failed(isFull ? outOfMemory() : ending(`the thread of the functions ended: ${Object(error).message}`));
    });
    worker.on('exit', () => failed(ending('the thread of the functions ended')));
    // A stage that is open keeps the process; what it left idle does not.
    worker.unref();
    return worker;
  }

  #hear(message: FromThread): void {
    if (message.kind === 'pong') {
      this.#pending?.();
      return;
    }
    if (message.kind === 'call') {
      void this.#call(message);
      return;
    }
    if (message.kind === 'changed' || message.kind === 'broken') {
      this.#asked.shift()?.(message);
      return;
    }
    const { id, kind, text } = message;
    const held = this.#environments.get(id);
    held?.on.message(kind, text);
    if (held && kind === 'R') held.opening = null;
    // It has said how.
    if (kind === 'X' || kind === 'I') this.#end(id, ending('ended'));
  }

  async #call({ call, origin, request }: FromThread & { kind: 'call' }): Promise<void> {
    const worker = this.#worker;
    const answer = (await callService(origin, request)) ?? null;
    const whole = answer && typeof answer.body !== 'string' ? { ...answer, body: new Uint8Array(answer.body) } : answer;
    if (worker === this.#worker) this.#say({ kind: 'reply', call, answer: whole });
  }

  #end(id: number, how: ErrorReport): void {
    const held = this.#environments.get(id);
    this.#environments.delete(id);
    held?.on.ended(how);
  }

  /** An endless loop lets the thread hear nothing: only another thread ends it. */
  #ping(): void {
    if (this.#pending) return;
    const heard = () => {
      this.#pending = null;
      clearTimeout(timer);
    };
    const fail = () => this.#pending === heard && this.#fail(ending('the thread of the functions stood still'));
    // After a turn of this thread: where it stood still itself, the answer waits there.
    const timer = setTimeout(() => setImmediate(fail), stalledMs * this.#patience.factor).unref();
    this.#pending = heard;
    this.#say({ kind: 'ping' });
  }

  /** What is under way in it ends as with a killed process; a new thread takes over. */
  #fail(how: ErrorReport): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#pending?.();
    for (const resolve of this.#asked.splice(0)) resolve({ error: how.errorMessage });
    const openings: ToThread[] = [];
    for (const [id, held] of [...this.#environments]) {
      if (held.opening) openings.push(held.opening);
      else this.#end(id, how);
      held.opening = null;
    }
    for (const opening of openings) this.#say(opening);
    void worker?.terminate();
  }
}

const threads = new Map<string, Thread>();

/** One thread for all stages of this process that are as patient: most of its time goes into loading packages. */
export function threadFor(patience: Patience): Thread {
  const key = JSON.stringify(patience);
  const known = threads.get(key) ?? new Thread(patience);
  threads.set(key, known);
  return known;
}
