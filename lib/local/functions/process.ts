import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type Environment, type EnvironmentOptions, environmentOf } from './environment.ts';
import { invocationFrame, readFrames } from './frames.ts';
import type { Guard } from './guard.ts';
import { type ErrorReport, ending, outOfMemory } from './result.ts';
import { variablesOf } from './variables.ts';

const runtime = join(import.meta.dirname, 'runtime.mjs');

/** An execution environment in a process of its own, as on Lambda. */
export function startProcess(options: EnvironmentOptions, guard: Guard): Environment {
  return environmentOf(options, (on) => {
    const { fn, patience } = options;
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
    const [, stdout, stderr, results, invocations] = child.stdio as [null, Readable, Readable, Readable, Writable];
    results.on('data', readFrames(on.message));
    // Output that does not pass through `process.stdout`: from V8 at its end, a native module, or a child of the handler.
    stdout.on('data', on.output);
    stderr.on('data', on.output);
    for (const stream of [stdout, stderr, results, invocations]) stream.on('error', () => {});
    const ended = () => on.ended(endingOf(child));
    child.once('error', (error) => {
      // The folder is missing, or the machine allows no more processes.
      if (child.pid === undefined) on.ended(ending(error.message, 'Runtime.SpawnError'));
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
      send: (requestId, deadline, event) => void invocations.write(invocationFrame(requestId, deadline, event)),
      kill: () => {
        if (child.pid && child.exitCode === null && child.signalCode === null) killGroup(child.pid);
      },
    };
  });
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

function endingOf({ signalCode, exitCode }: ChildProcess): ErrorReport {
  if (signalCode === 'SIGKILL') return ending('signal: killed');
  // V8 aborts at its heap limit, where Lambda's process is killed at the memory limit.
  if (signalCode === 'SIGABRT') return outOfMemory();
  return ending(signalCode ? `signal: ${signalCode}` : `Runtime exited with error: exit status ${exitCode}`);
}
