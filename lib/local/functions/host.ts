import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FunctionModel } from '../model.ts';
import type { Patience } from '../patience.ts';
import { type Guard, startGuard } from './guard.ts';
import { createPool, type Pool } from './pool.ts';
import { startProcess } from './process.ts';
import { type InvokeResult, invokeFailure, requestTooLarge } from './result.ts';
import { sourceMapper } from './source-maps.ts';
import { type Changed, threadFor } from './thread.ts';

// "6 MB each for request and response (synchronous)" (Lambda quotas), as the service's own message counts it.
const maximumRequestBytes = 6_291_556;

const projectDir = join(import.meta.dirname, '..', '..', '..');

export type FunctionHostOptions = {
  /**
   * The variables that the host adds to the function's own environment: credentials, endpoints. Called at every cold
   * start.
   */
  readonly variables: (fn: FunctionModel) => Record<string, string>;
  /** A line of output; the request id is null outside an invocation, as in the init phase. */
  readonly onLog: (fn: FunctionModel, requestId: string | null, line: string) => void;
  /** All environments in one thread, in place of a process for each. */
  readonly inThread?: boolean;
  /** An environment that was idle for this time is ended. */
  readonly idleMs?: number;
  /** Environments of one function at a time; further invocations wait. */
  readonly maxEnvironments?: number;
  readonly initTimeoutMs?: number;
  /** Default: as on AWS. */
  readonly patience?: Patience;
  readonly now?: () => number;
};

/** Lambda's execution model on this machine: one environment for each concurrent invocation, reused while warm. */
export type FunctionHost = {
  /** Never rejects: a failure is a result. */
  invoke(fn: FunctionModel, event: unknown, options?: { requestId?: string }): Promise<InvokeResult>;
  /** Sets new code or settings. Running invocations finish with the old ones; later invocations get the new ones. */
  replace(fn: FunctionModel): void;
  /** In a thread: new environments have the changed files. @param entries the files that functions begin with */
  change(files: readonly string[], entries: readonly string[]): Promise<Changed>;
  /** Ends everything and leaves no process. */
  close(): Promise<void>;
};

export function startFunctions(options: FunctionHostOptions): FunctionHost {
  const { variables, onLog, inThread = false, idleMs = 60_000, maxEnvironments = 10 } = options;
  const patience = options.patience ?? { factor: 1, limitsMs: [] };
  const initTimeoutMs = (options.initTimeoutMs ?? 10_000) * patience.factor;
  const now = options.now ?? (() => performance.now());
  const pools = new Map<string, Pool>();
  let guard: Guard | null = null;
  let closed = false;
  const mapped = sourceMapper(projectDir);

  const start = (fn: FunctionModel) => {
    const log = (requestId: string | null, line: string) => onLog(fn, requestId, mapped(line));
    const options = { fn, variables: variables(fn), onLog: log, initTimeoutMs, patience };
    if (inThread) return threadFor(patience).open(options);
    guard ??= startGuard();
    return startProcess(options, guard);
  };
  const poolOf = (fn: FunctionModel) => {
    const known = pools.get(fn.name);
    if (known) return known;
    const pool = createPool(fn, { start, maximum: maxEnvironments, now });
    pools.set(fn.name, pool);
    return pool;
  };
  const reaper = setInterval(
    () => {
      for (const pool of pools.values()) pool.reap(now() - idleMs);
    },
    Math.max(Math.min(idleMs / 2, 10_000), 10),
  );
  reaper.unref();

  return {
    async invoke(fn, event, { requestId = randomUUID() } = {}) {
      if (closed) return invokeFailure('rejected', 'HostClosed', 'The function host is closed');
      const text = JSON.stringify(event) ?? 'null';
      // A text has at most three bytes for each UTF-16 unit, so short events need no count.
      if (text.length * 3 > maximumRequestBytes && Buffer.byteLength(text) > maximumRequestBytes) {
        const message = `Request must be smaller than ${maximumRequestBytes} bytes for the InvokeFunction operation`;
        return invokeFailure('rejected', requestTooLarge, message);
      }
      const result = await poolOf(fn).invoke(requestId, text);
      return result.ok ? result : { ...result, trace: result.trace.map(mapped) };
    },
    replace: (fn) => pools.get(fn.name)?.replace(fn),
    change: (files, entries) => threadFor(patience).change(files, entries),
    async close() {
      closed = true;
      clearInterval(reaper);
      await Promise.all([...pools.values()].map((pool) => pool.close()));
      await guard?.close();
    },
  };
}
