import type { FunctionModel } from '../model.ts';
import type { Patience } from '../patience.ts';
import { readLines } from './frames.ts';
import { type ErrorReport, type InvokeResult, invokeFailure } from './result.ts';

/** One execution environment: a process or a part of a thread that runs one function, one invocation at a time. */
export type Environment = {
  readonly fn: FunctionModel;
  /** Resolves once: null when the handler is loaded, or the failure if it could not be loaded. */
  readonly ready: Promise<InvokeResult | null>;
  /** Resolves when it has ended, for any reason. */
  readonly gone: Promise<void>;
  /** `untaken`: it was already ending and never began the invocation. */
  invoke(requestId: string, event: string): Promise<InvokeResult | 'untaken'>;
  /** When it last became idle; set by the pool. */
  idleSince: number;
  kill(): void;
};

export type EnvironmentOptions = {
  readonly fn: FunctionModel;
  readonly variables: Readonly<Record<string, string>>;
  readonly onLog: (requestId: string | null, line: string) => void;
  /** Lambda's limit of the init phase, 10 s. */
  readonly initTimeoutMs: number;
  readonly patience: Patience;
};

/** What it runs in. */
export type Carrier = {
  readonly send: (requestId: string, deadline: number, event: string) => void;
  readonly kill: () => void;
};

/** What comes from there; the letters are those of runtime.mjs. */
export type Signals = {
  readonly message: (kind: string, content: Buffer | string) => void;
  /** Output that is of no stream of the handler's. */
  readonly output: (chunk: Buffer) => void;
  /** @param how counts if nothing said it before */
  readonly ended: (how: ErrorReport) => void;
};

type Running = { id: string; begun: number; sent: number; settle: (result: InvokeResult | 'untaken') => void };

export function environmentOf(options: EnvironmentOptions, carry: (on: Signals) => Carrier): Environment {
  const { fn, onLog } = options;
  const started = performance.now();
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
  const answer = (content: Buffer | string, ok: boolean) => {
    if (!running) return;
    const durationMs = performance.now() - running.begun;
    // Reported with the first invocation only, as Lambda's Init Duration.
    const init = running.sent === 1 ? initMs : null;
    const value: unknown = JSON.parse(String(content));
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
    carrier.kill();
  }, options.initTimeoutMs);

  const message = (kind: string, content: Buffer | string) => {
    if (kind === 'O' || kind === 'E') outputs[kind].write(content);
    else if (kind === 'S' || kind === 'F') answer(content, kind === 'S');
    else if (kind === 'R') {
      clearTimeout(initTimer);
      initMs = performance.now() - started;
      ready.resolve(null);
    } else if (kind === 'Q') taken = Number(content);
    else fatal = JSON.parse(String(content)) as ErrorReport;
  };
  const ended = (how: ErrorReport) => {
    clearTimeout(initTimer);
    const failure = fatal ?? how;
    const more = { trace: failure.trace, initMs };
    ready.resolve(invokeFailure('init', failure.errorType, failure.errorMessage, more));
    if (running && taken !== null && taken < running.sent) settle('untaken');
    else if (running) {
      const durationMs = performance.now() - running.begun;
      settle(invokeFailure('crash', failure.errorType, failure.errorMessage, { ...more, durationMs }));
    }
    flush();
    gone.resolve();
  };
  const carrier = carry({ message, output: outputs.raw.write, ended });

  return {
    fn,
    ready: ready.promise,
    gone: gone.promise,
    idleSince: 0,
    kill: carrier.kill,
    invoke(requestId, event) {
      const begun = performance.now();
      sent += 1;
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          const seconds = (fn.timeoutMs / 1000).toFixed(2);
          const message = `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`;
          onLog(requestId, message);
          const durationMs = performance.now() - begun;
          settle(invokeFailure('timeout', 'Sandbox.Timedout', message, { durationMs }));
        }, fn.timeoutMs).unref();
        const done = (result: InvokeResult | 'untaken') => {
          clearTimeout(timer);
          resolve(result);
        };
        running = { id: requestId, begun, sent, settle: done };
        carrier.send(requestId, Date.now() + fn.timeoutMs, event);
      });
    },
  };
}
