import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** What a command and all processes below it use together, as Linux counts it. */

export type TreeUsage = {
  readonly seconds: number;
  /** The highest sum of PSS (memory, with what processes share divided among them) of all processes; 0 where it is not sampled. */
  readonly peakMebibytes: number;
  readonly output: string;
};

type TreeOptions = {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly isDone?: (output: () => string) => Promise<boolean>;
  /** Whether the memory is sampled, which takes a third of a core. */
  readonly isSampled?: boolean;
};

const everyMs = 50;

/**
 * Runs a command until `isDone` says so, or else until it ends.
 *
 * @param isDone is asked every few milliseconds, with a function that returns what was printed
 * @throws an Error with its output, where the command fails before
 */
export async function measureTree(
  [program = '', ...words]: readonly string[],
  { cwd, env, isDone, isSampled = false }: TreeOptions,
): Promise<TreeUsage> {
  const began = performance.now();
  const child = spawn(program, words, { cwd, env: { ...process.env, ...env }, detached: true });
  let output = '';
  let peak = 0;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  const sample = () => {
    peak = Math.max(peak, mebibytesBelow(child.pid));
  };
  const timer = isSampled ? setInterval(sample, everyMs) : undefined;
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  try {
    while (child.exitCode === null && !(await isDone?.(() => output)))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const code = child.exitCode;
    if (code === null || code === 0)
      return { seconds: (performance.now() - began) / 1000, peakMebibytes: peak, output };
    throw new Error(`${[program, ...words].join(' ')} ended with ${code}:\n${output}`);
  } finally {
    clearInterval(timer);
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

function mebibytesBelow(root: number | undefined): number {
  const children = Map.groupBy(
    readdirSync('/proc').filter((name) => /^\d+$/.test(name)),
    (pid) => Number(textOf(`/proc/${pid}/stat`).split(') ')[1]?.split(' ')[1]),
  );
  const tree = [root ?? 0];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []).map(Number));
  const kibibytes = tree.map((pid) => Number(/^Pss:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0));
  return kibibytes.reduce((sum, each) => sum + each, 0) / 1024;
}

/** A process can end between two readings. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
