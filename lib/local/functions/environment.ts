import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { after } from '../deadlines.ts';
import type { FunctionModel } from '../model.ts';
import type { Patience } from '../patience.ts';
import { invocationFrame, readFrames, readLines } from './frames.ts';
import type { Guard } from './guard.ts';
import { type ErrorReport, type InvokeResult, invokeFailure } from './result.ts';
import { variablesOf } from './variables.ts';

/** One execution environment: a process that runs one function, one invocation at a time. */
export type Environment = {
  readonly fn: FunctionModel;
  /** Resolves once: null when the handler is loaded, or the failure if it could not be loaded. */
  readonly ready: Promise<InvokeResult | null>;
  /** Resolves when the process has ended, for any reason. */
  readonly gone: Promise<void>;
  /** `untaken`: the process was already ending and never began the invocation. */
  invoke(requestId: string, event: string): Promise<InvokeResult | 'untaken'>;
  /** When it last became idle; set by the pool. */
  idleSince: number;
  kill(): void;
};

export type EnvironmentOptions = {
  readonly fn: FunctionModel;
  readonly variables: Readonly<Record<string, string>>;
  readonly onLog: (requestId: string | null, line: string) => void;
  readonly guard: Guard;
  /** Lambda's limit of the init phase, 10 s. */
  readonly initTimeoutMs: number;
  readonly patience: Patience;
};

const runtime = join(import.meta.dirname, 'runtime.mjs');

type Running = { id: string; begun: number; sent: number; settle: (result: InvokeResult | 'untaken') => void };

export function startEnvironment(options: EnvironmentOptions): Environment {
  const { fn, guard, onLog, patience } = options;
  const started = performance.now();
  // Lambda's own bootstrap gives the heap 90 % of the function's memory.
  const heap = `--max-old-space-size=${Math.max(Math.floor(fn.memoryMb * 0.9), 16)}`;
  const child = spawn(
    process.execPath,
    [heap, runtime, fn.arn, ...(patience.factor === 1 ? [] : [JSON.stringify(patience)])],
    {
      cwd: fn.codeDir,
      env: variablesOf(fn, options.variables),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      // A process group of its own: the host handles Ctrl-C in the terminal, and `kill` reaches grandchildren.
      detached: true,
    },
  );
  if (child.pid) guard.watch(child.pid);

  let running: Running | null = null;
  let initMs: number | null = null;
  let sent = 0;
  let taken: number | null = null;
  let fatal: ErrorReport | null = null;
  const ready = Promise.withResolvers<InvokeResult | null>();
  const gone = Promise.withResolvers<void>();
  const log = (line: string) => onLog(running?.id ?? null, line);
  const outputs = { O: readLines(log), E: readLines(log), raw: readLines(log) };
  const flush = () => Object.values(outputs).forEach((output) => void output.flush());

  const settle = (result: InvokeResult | 'untaken') => {
    flush();
    const invocation = running;
    running = null;
    invocation?.settle(result);
  };
  const answer = (content: Buffer, ok: boolean) => {
    if (!running) return;
    const durationMs = performance.now() - running.begun;
    // Reported with the first invocation only, as Lambda's Init Duration.
    const init = running.sent === 1 ? initMs : null;
    const value: unknown = JSON.parse(content.toString('utf8'));
    if (ok) return settle({ ok: true, payload: value, initMs: init, durationMs });
    const report = value as ErrorReport;
    settle(
      invokeFailure('error', report.errorType, report.errorMessage, { trace: report.trace, initMs: init, durationMs }),
    );
  };

  const initTimer = setTimeout(() => {
    ready.resolve(
      invokeFailure('init', 'Sandbox.Timedout', `The init phase took more than ${options.initTimeoutMs} ms`),
    );
    kill();
  }, options.initTimeoutMs);

  const frames = readFrames((kind, content) => {
    if (kind === 'O' || kind === 'E') outputs[kind].write(content);
    else if (kind === 'S' || kind === 'F') answer(content, kind === 'S');
    else if (kind === 'R') {
      clearTimeout(initTimer);
      initMs = performance.now() - started;
      ready.resolve(null);
    } else if (kind === 'Q') taken = Number(content.toString());
    else fatal = JSON.parse(content.toString('utf8')) as ErrorReport;
  });
  const [, stdout, stderr, results, invocations] = child.stdio as [null, Readable, Readable, Readable, Writable];
  results.on('data', frames);
  // Output that does not pass through `process.stdout`: from V8 at its end, a native module, or a child of the handler.
  stdout.on('data', (chunk: Buffer) => outputs.raw.write(chunk));
  stderr.on('data', (chunk: Buffer) => outputs.raw.write(chunk));
  for (const stream of [stdout, stderr, results, invocations]) stream.on('error', () => {});

  function kill() {
    if (child.pid && child.exitCode === null && child.signalCode === null) killGroup(child.pid);
  }

  function ended() {
    clearTimeout(initTimer);
    const how = endingOf(child);
    const failure = fatal ?? { errorType: how.errorType, errorMessage: how.message, trace: [] };
    const more = { trace: failure.trace, initMs };
    ready.resolve(invokeFailure('init', failure.errorType, failure.errorMessage, more));
    if (running && taken !== null && taken < running.sent) settle('untaken');
    else if (running) {
      const durationMs = performance.now() - running.begun;
      settle(invokeFailure('crash', failure.errorType, failure.errorMessage, { ...more, durationMs }));
    }
    flush();
    gone.resolve();
  }
  child.once('error', (error) => {
    // The folder is missing, or the machine allows no more processes.
    fatal ??= { errorType: 'Runtime.SpawnError', errorMessage: error.message, trace: [] };
    if (child.pid === undefined) ended();
  });
  child.once('exit', () => {
    if (!child.pid) return;
    guard.forget(child.pid);
    killGroup(child.pid);
    // `close` comes after the last output was read, but a descendant in another group may hold the pipes open.
    child.once('close', ended);
    whenRead([stdout, stderr, results], ended);
  });

  return {
    fn,
    ready: ready.promise,
    gone: gone.promise,
    idleSince: 0,
    kill,
    invoke(requestId, event) {
      const begun = performance.now();
      sent += 1;
      return new Promise((resolve) => {
        const ended = after(fn.timeoutMs, () => {
          const seconds = (fn.timeoutMs / 1000).toFixed(2);
          const message = `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`;
          onLog(requestId, message);
          const durationMs = performance.now() - begun;
          settle(invokeFailure('timeout', 'Sandbox.Timedout', message, { durationMs }));
        });
        const done = (result: InvokeResult | 'untaken') => {
          ended();
          resolve(result);
        };
        running = { id: requestId, begun, sent, settle: done };
        invocations.write(invocationFrame(requestId, Date.now() + fn.timeoutMs, event));
      });
    },
  };
}

// The limit for a descendant that holds a pipe open and never stops writing. A pipe's buffer is read in one or two
// turns.
const maximumTurns = 100;

/**
 * Calls back when the pipes are empty: a whole turn of the event loop read nothing. A time limit would not show this: a
 * host that got no CPU time finds the limit passed and the pipes unread.
 */
function whenRead(pipes: readonly Readable[], done: () => void): void {
  let brought = false;
  const bring = () => {
    brought = true;
  };
  for (const pipe of pipes) pipe.on('data', bring);
  const look = (turns: number) => {
    if (brought && turns < maximumTurns) {
      brought = false;
      setImmediate(look, turns + 1);
      return;
    }
    for (const pipe of pipes) pipe.off('data', bring);
    done();
  };
  // The current turn may have passed its reading phase already: the first whole turn ends with the second callback.
  setImmediate(() => setImmediate(look, 0));
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}

function endingOf(child: ChildProcess): { errorType: string; message: string } {
  if (child.signalCode === 'SIGKILL') return { errorType: 'Runtime.ExitError', message: 'signal: killed' };
  // V8 aborts at its heap limit, where Lambda's process is killed at the memory limit.
  if (child.signalCode === 'SIGABRT')
    return { errorType: 'Runtime.OutOfMemory', message: 'signal: aborted, out of memory' };
  if (child.signalCode) return { errorType: 'Runtime.ExitError', message: `signal: ${child.signalCode}` };
  return { errorType: 'Runtime.ExitError', message: `Runtime exited with error: exit status ${child.exitCode}` };
}
