import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../lib/bundle/root.ts';
import { measureTree, type TreeUsage } from './process-tree.ts';
import type { Section } from './report.ts';
import { median } from './statistics.ts';

/** What a newcomer waits for: the installation, the first start, and what follows from a saved file. In a fresh clone. */

const port = '3999';
const url = `http://localhost:${port}/de/v1/health`;
const start = ['npm', 'start', '--'];

/** Memory is measured in runs of its own, since the sampling takes time. */
type Measured = { readonly timed: TreeUsage[]; readonly sampled: TreeUsage[] };

type Row = readonly [what: string, seconds: string, limit: string, mebibytes: string, limit: string];

/** @param rounds how often each start is measured; the table has the medians */
export async function startTimes(folder: string, rounds: number): Promise<Section> {
  const clone = join(folder, 'clone');
  execFileSync('git', ['clone', '--quiet', root, clone]);
  const installed = await measureTree(['npm', 'ci'], { cwd: clone });
  const onDisk = Number(execFileSync('du', ['-sm', 'node_modules'], { cwd: clone, encoding: 'utf8' }).split('\t')[0]);
  const cache = join(clone, '.cache');
  let emptyings = 0;
  // Moved, since ext4 is slow to create files where some were just deleted.
  const emptied = () => {
    if (existsSync(cache)) renameSync(cache, join(folder, `cache-${emptyings++}`));
  };
  const started = (isSampled: boolean) =>
    measureTree(start, { cwd: clone, env: { PORT: port }, isDone: answers, isSampled });
  const synth = (stage: string, isSampled: boolean) =>
    measureTree(['npm', 'run', 'synth', '--', '-c', `stage=${stage}`], { cwd: clone, isSampled });

  const first: Measured = { timed: [], sampled: [] };
  const unchanged: Measured = { timed: [], sampled: [] };
  const one: Measured = { timed: [], sampled: [] };
  const another: Measured = { timed: [], sampled: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of ['timed', 'sampled'] as const) {
      emptied();
      first[kind].push(await started(kind === 'sampled'));
      unchanged[kind].push(await started(kind === 'sampled'));
    }
  }
  const saved = await afterSaving(clone);
  for (const kind of ['timed', 'sampled'] as const) {
    emptied();
    one[kind].push(await synth('dev', kind === 'sampled'));
    another[kind].push(await synth('staging', kind === 'sampled'));
  }
  const rows: Row[] = [
    ['npm ci', installed.seconds.toFixed(1), '', `${onDisk} on the disk`, '650'],
    ['npm start, first', ...figures(first, '6', '700')],
    ['npm start, unchanged', ...figures(unchanged, '1', '')],
    ['a saved handler answers (--watch)', saved.handler.toFixed(2), '1', '', ''],
    ['a saved declaration answers (--watch)', saved.declaration.toFixed(2), '4', '', ''],
    ['cdk synth of one environment, first', ...figures(one, '20', '1200')],
    ['cdk synth of another environment', ...figures(another, '8', '')],
  ];
  return {
    title: 'Starting',
    text:
      'In a fresh clone, with an empty `.cache`; a start lasts until the first request is answered. Memory is the highest sum of ' +
      `PSS of all processes, sampled every 50 ms in other runs than those whose time is measured. Starts are medians of ${rounds}.`,
    tables: [{ head: ['', 's', 'limit', 'MiB', 'limit'], rows }],
  };
}

function figures({ timed, sampled }: Measured, seconds: string, mebibytes: string): [string, string, string, string] {
  const peak = median(sampled.map(({ peakMebibytes }) => peakMebibytes));
  return [median(timed.map((each) => each.seconds)).toFixed(2), seconds, peak.toFixed(0), mebibytes];
}

async function answers(): Promise<boolean> {
  return fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** Seconds from the write of a file until the stage says that the new code answers; then it is asked once, as its rate limit is low. */
async function afterSaving(clone: string): Promise<{ handler: number; declaration: number }> {
  const found = { handler: 0, declaration: 0 };
  const isDone = async (output: () => string) => {
    if (!output().includes('watching lib/ and functions/')) return false;
    const edited = async (file: string, [from, to]: readonly [string, string], said: string) => {
      const path = join(clone, file);
      const text = readFileSync(path, 'utf8');
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      const before = output().length;
      const began = performance.now();
      writeFileSync(path, text.replace(from, to));
      while (!output().slice(before).includes(said)) {
        if (performance.now() - began > 60_000) throw new Error(`${file} was saved a minute ago:\n${output()}`);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return (performance.now() - began) / 1000;
    };
    const handler = 'functions/health/handlers/read-health.ts';
    found.handler = await edited(handler, ['  version,', "  version: 'saved',"], 'replaced read-health');
    const body = await (await fetch(url)).text();
    const declared = ["path: '/health'", "path: '/healthy'"] as const;
    found.declaration = await edited('functions/health/routes.ts', declared, 'the new template answers');
    const { status } = await fetch(url.replace('health', 'healthy'));
    if (!body.includes('saved') || status !== 200) throw new Error(`${status} ${body}`);
    return true;
  };
  await measureTree([...start, '--watch'], { cwd: clone, env: { PORT: port }, isDone });
  cpSync(join(root, 'functions/health'), join(clone, 'functions/health'), { recursive: true });
  return found;
}
