import type { FunctionModel } from '../model.ts';
import type { Environment } from './environment.ts';
import { type InvokeResult, invokeFailure } from './result.ts';

type Invocation = { requestId: string; event: string; resolve: (result: InvokeResult) => void };

/** The execution environments of one function. */
export type Pool = {
  invoke(requestId: string, event: string): Promise<InvokeResult>;
  replace(fn: FunctionModel): void;
  /** Ends environments that have been idle since before the given time. */
  reap(before: number): void;
  close(): Promise<void>;
};

export type PoolOptions = {
  readonly start: (fn: FunctionModel) => Environment;
  readonly maximum: number;
  readonly now: () => number;
};

function hostClosed(): InvokeResult {
  return invokeFailure('rejected', 'HostClosed', 'The function host is closed');
}

export function createPool(first: FunctionModel, { start, maximum, now }: PoolOptions): Pool {
  let fn = first;
  let closed = false;
  let starting = 0;
  // The environment that was used last is taken first, so surplus environments stay idle and are reaped.
  const idle: Environment[] = [];
  const all = new Set<Environment>();
  const leaving = new Set<Environment>();
  const waiting: Invocation[] = [];

  function dispatch(): void {
    for (let environment = idle.pop(); environment; environment = idle.pop()) {
      const invocation = waiting.shift();
      if (!invocation) {
        idle.push(environment);
        return;
      }
      void run(environment, invocation);
    }
    while (starting < waiting.length && all.size < maximum) void startOne();
  }

  async function startOne(): Promise<void> {
    let environment: Environment;
    try {
      environment = start(fn);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      waiting.shift()?.resolve(invokeFailure('init', 'Runtime.SpawnError', message));
      return;
    }
    all.add(environment);
    starting += 1;
    void environment.gone.then(() => {
      remove(environment);
      leaving.delete(environment);
      dispatch();
    });
    const failure = await environment.ready;
    starting -= 1;
    if (!failure) release(environment);
    else {
      remove(environment);
      if (environment.fn === fn) waiting.shift()?.resolve(failure);
    }
    dispatch();
  }

  async function run(environment: Environment, invocation: Invocation): Promise<void> {
    const result = await environment.invoke(invocation.requestId, invocation.event);
    if (result === 'untaken') {
      remove(environment);
      if (closed) invocation.resolve(hostClosed());
      else waiting.unshift(invocation);
    } else if (result.ok || result.kind === 'error') {
      release(environment);
    } else {
      // Removed from the pool before it is killed, so nothing can be sent to a dying process.
      remove(environment);
      environment.kill();
    }
    dispatch();
    if (result !== 'untaken') invocation.resolve(result);
  }

  function release(environment: Environment): void {
    if (environment.fn !== fn || closed) {
      end(environment);
    } else if (all.has(environment)) {
      environment.idleSince = now();
      idle.push(environment);
    }
  }

  function remove(environment: Environment): void {
    all.delete(environment);
    const index = idle.indexOf(environment);
    if (index >= 0) idle.splice(index, 1);
  }

  function end(environment: Environment): void {
    remove(environment);
    leaving.add(environment);
    void environment.gone.then(() => leaving.delete(environment));
    environment.kill();
  }

  return {
    invoke(requestId, event) {
      if (closed) return Promise.resolve(hostClosed());
      return new Promise((resolve) => {
        waiting.push({ requestId, event, resolve });
        dispatch();
      });
    },
    replace(next) {
      fn = next;
      for (const environment of [...idle]) end(environment);
      dispatch();
    },
    reap(before) {
      for (const environment of [...idle]) if (environment.idleSince < before) end(environment);
    },
    async close() {
      closed = true;
      for (const { resolve } of waiting.splice(0)) {
        resolve(hostClosed());
      }
      const ending = [...all, ...leaving];
      for (const environment of ending) end(environment);
      await Promise.all(ending.map((environment) => environment.gone));
    },
  };
}
