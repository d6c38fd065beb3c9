import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { onTestFinished } from 'vitest';
import { synthesize } from '../../../bin/stage.ts';
import { eventually } from '../../eventually.ts';

/** `npm start` as a process of its own, without npm unless a test is about npm. */

export const projectDir = join(import.meta.dirname, '..', '..', '..');

export type LocalProcess = {
  /** All that it has printed so far, on either stream. */
  readonly output: () => string;
  /** Set once it has printed its ready line. */
  readonly url: () => string;
  /** Waits for a text in the output. */
  readonly printed: (text: string | RegExp) => Promise<string>;
  readonly pid: number;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

type Options = {
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  preload?: string;
  /** By the command of the README; `pid` is then npm's. */
  byNpm?: boolean;
  /** With `byNpm`: below a process that never asks for npm's end. `pid` is that process's. */
  isUnreaped?: boolean;
};

export function startLocal({
  args = [],
  env = {},
  cwd = projectDir,
  preload,
  byNpm,
  isUnreaped,
}: Options = {}): LocalProcess {
  const preloads = ['./bin/require-node.cjs', ...(preload ? [preload] : [])].flatMap((file) => ['-r', file]);
  const node = [process.execPath, ...preloads, 'bin/cli.ts', 'start'] as const;
  const unreaped = ['sh', '-c', 'npm start -- "$@" & exec sleep 3600', 'sh'] as const;
  const [command, ...given] = byNpm ? (isUnreaped ? unreaped : (['npm', 'start', '--'] as const)) : node;
  const child = spawn(command, [...given, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PATIENCE: process.env.PATIENCE, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm's descendants are ended as one group where a test fails.
    detached: byNpm === true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = new Promise<Awaited<LocalProcess['ended']>>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  onTestFinished(async () => {
    if (byNpm) endGroup(child.pid);
    child.kill('SIGKILL');
    await ended;
  });
  return {
    output: () => output,
    url: () => /^ready (\S+)/m.exec(output)?.[1] ?? '',
    printed: async (text) => {
      const found = () => (typeof text === 'string' ? output.includes(text) : text.test(output));
      await eventually(() => {
        if (!found() && child.exitCode === null) throw new Error(`it has not printed ${text}:\n${output}`);
      });
      if (!found()) throw new Error(`it ended with ${child.exitCode}:\n${output}`);
      return output;
    },
    pid: child.pid ?? 0,
    ended,
  };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

/** The processes that a process started, and those that they started. */
export function descendants(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    pairs.flatMap(([child = 0, of]) => (of === parent ? [child, ...below(child)] : []));
  return below(pid);
}

/** Those of some processes that run; a defunct one whose parent is gone has ended. */
export function alive(pids: readonly number[]): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  const running = rows.map((row) => row.trim().split(/\s+/)).filter(([, state = '']) => !state.startsWith('Z'));
  return pids.filter((pid) => running.some(([id]) => Number(id) === pid));
}

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'local-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The project's sources in a folder of their own, to be changed while they run. */
export async function projectCopy(): Promise<string> {
  const folder = temporaryFolder();
  const { directory, codeOf } = await synthesize('dev');
  const made = [dirname(directory), dirname(codeOf?.('agree') ?? '')].map((path) => relative(projectDir, path));
  // Not `cpSync`, which aborts the process when a file goes while it is copied.
  const files = ['package.json', 'package-lock.json', 'cdk.json', 'tsconfig.json'];
  for (const name of ['bin', 'lib', 'functions', ...files, ...made]) {
    const filter = (path: string) => basename(path) !== 'node_modules';
    await cp(join(projectDir, name), join(folder, name), { recursive: true, filter });
  }
  symlinkSync(join(projectDir, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** An API's answer to one user. */
export async function ask(url: string, path: string, method = 'GET', user = 'patient@example.com') {
  const token = await (await fetch(`${url}/_local/token?user=${user}`)).text();
  const answer = await fetch(`${url}/de/v1${path}`, { method, headers: { Authorization: `Bearer ${token}` } });
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests are about.
  return { status: answer.status, body: (await answer.json()) as any };
}
