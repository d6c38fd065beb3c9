import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Section } from './report.ts';
import { quantile } from './statistics.ts';

/** One request: what it is called, and how long its answer took. */
export type Answered = { readonly name: string; readonly ms: number };

/** The time to answer hostile requests; the tests say that they are answered, and rightly. @param folder for the figures */
export function answers(folder: string): Section {
  const file = join(folder, 'answers.json');
  const root = join(import.meta.dirname, '..', '..');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  execFileSync(process.execPath, [vitest, 'run', '--config', 'test/bench.config.ts'], {
    cwd: root,
    env: { ...process.env, BENCH_ANSWERS: file },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { hostile, generated }: Record<'hostile' | 'generated', Answered[]> = JSON.parse(readFileSync(file, 'utf8'));
  return {
    title: 'Hostile requests',
    text:
      'The time from the first byte of a request to the end of its connection, on the local stage, one after the other, once ' +
      'every function has started. A request in pieces pauses 20 ms between two, and a token of an unknown key waits for the ' +
      'next fetch of the keys, one a second. A pattern or a schema that takes long for some input would be the slowest.',
    tables: [
      {
        head: ['', 'requests', 'p50 ms', 'p99 ms', 'max ms', 'the three slowest'],
        rows: [row('the hostile cases', hostile), row('fuzzed, the same ones every time', generated)],
      },
    ],
  };
}

function row(what: string, all: readonly Answered[]): string[] {
  const times = all.map(({ ms }) => ms);
  const slowest = all.toSorted((one, other) => other.ms - one.ms).slice(0, 3);
  const figures = [quantile(times, 0.5), quantile(times, 0.99), Math.max(...times)].map((ms) => ms.toFixed(1));
  return [what, String(all.length), ...figures, slowest.map(({ name, ms }) => `${name} ${ms.toFixed(0)}`).join('; ')];
}
