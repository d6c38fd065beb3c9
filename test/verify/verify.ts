import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { closingLines, type Outcome, outcomeOf } from '../../.ci/steps.mjs';
import { allFiles, changedSince, hashOf, isReachedBy } from './reach.ts';
import { type Shard, shards, toolPackages } from './shards.ts';

const values = new Command('npm run verify --')
  .description(
    'Runs everything that proves something and is not in the gate. A result is kept in .cache/verify while nothing that the shard reaches changes, so a run goes on where another one ended. What failed runs again. Two shards run at a time, but for those that need the machine for themselves. What each prints is in .cache/verify/<name>.log.',
  )
  .option('--changed <ref>', 'only shards that a change since this commit reaches by imports')
  .option('--only <parts...>', 'only shards with this part of a name')
  .option('--busy', 'beside two processes that each keep a core busy', false)
  .option('--list', 'name the shards and do not run them', false)
  .parse()
  .opts<{ changed?: string; only?: string[]; busy: boolean; list: boolean }>();

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, '.cache', 'verify');
mkdirSync(folder, { recursive: true });

const condition = values.busy ? 'busy' : '';
const files = allFiles();
const changed = values.changed === undefined ? null : changedSince(values.changed);
const wanted = shards.filter((shard) => {
  const isNamed = values.only?.some((part) => shard.name.includes(part)) ?? true;
  return isNamed && (changed === null || isReachedBy(shard, changed, files));
});

if (values.list) {
  for (const shard of wanted)
    console.log(`${shard.name}${keptOf(shard, hashOf(shard, files, condition)) ? ' (kept)' : ''}`);
} else {
  const busy = values.busy ? [keepBusy(), keepBusy()] : [];
  const began = Date.now();
  const outcomes = await inLanes(wanted);
  for (const process of busy) process.kill();
  console.log(closingLines(outcomes, Math.round((Date.now() - began) / 1000)));
  process.exitCode = outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0;
}

/** A start of Vitest and of a stage keeps one core busy; two shards keep both. */
async function inLanes(wanted: readonly Shard[]): Promise<Outcome[]> {
  const outcomes = new Map<Shard, Outcome>();
  const take = async (left: Shard[]) => {
    for (let shard = left.shift(); shard; shard = left.shift()) {
      console.log(`begins: ${shard.name}`);
      const outcome = await judged(shard);
      outcomes.set(shard, outcome);
      const { name, seconds, passed, problems } = outcome;
      const state = problems.length === 0 ? 'green' : 'FAILED';
      console.log(`${outcomes.size} of ${wanted.length}: ${state} ${name}, ${passed} tests, ${seconds} s`);
    }
  };
  const isTool = ({ name }: Shard) => name === toolPackages;
  const beside = wanted.filter(({ isAlone }) => !isAlone);
  await take(wanted.filter(isTool));
  await Promise.all([take(beside), take(beside)]);
  await take(wanted.filter((shard) => shard.isAlone && !isTool(shard)));
  return wanted.flatMap((shard) => outcomes.get(shard) ?? []);
}

type Kept = Outcome & { readonly hash: string };

async function judged(shard: Shard): Promise<Outcome> {
  const hash = hashOf(shard, files, condition);
  const kept = keptOf(shard, hash);
  if (kept) return { ...kept, name: `${shard.name} (kept)` };
  const results = shard.isTests ? { results: join('.cache', 'verify', `${fileName(shard)}-tests.json`) } : {};
  const log = join('.cache', 'verify', `${fileName(shard)}.log`);
  const outcome = await outcomeOf({ ...shard, ...results, log });
  const note: Kept = { ...outcome, hash };
  // Not what ran while files changed.
  const isSame = hashOf(shard, allFiles(), condition) === hash;
  if (outcome.problems.length === 0 && isSame && !shard.isNeverKept)
    writeFileSync(placeOf(shard), `${JSON.stringify(note, null, 2)}\n`);
  return outcome;
}

function keptOf(shard: Shard, hash: string): Outcome | null {
  try {
    const { hash: keptHash, ...outcome } = JSON.parse(readFileSync(placeOf(shard), 'utf8')) as Kept;
    return keptHash === hash ? outcome : null;
  } catch {
    return null;
  }
}

function placeOf(shard: Shard): string {
  return join(folder, `${fileName(shard)}.json`);
}

function fileName({ name }: Shard): string {
  return name.replaceAll(' ', '-');
}

function keepBusy(): ChildProcess {
  // It ends with this process, however this one ends.
  const work = `const parent = ${process.pid}; const ends = () => { try { process.kill(parent, 0); return false; } catch { return true; } };
    for (let turn = 0; ; turn += 1) if (turn % 1e7 === 0 && ends()) break;`;
  return spawn(process.execPath, ['-e', work], { stdio: 'ignore' });
}
