import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from './markdown.ts';
import { judgeIn, type Verdict } from './mutations/judge.ts';
import { committedMutations, type Drawer, type Mutation } from './mutations/patches.ts';
import { type Scratch, scratchCopy } from './mutations/scratch.ts';
import { onNpmEnded } from './npm-process.ts';
import { loadTool } from './tools.ts';

/**
 * `npm run mutations [-- --only consents]`: plants each fault of test/mutations in a copy of HEAD, and looks whether a test fails. First
 * the tests of the changed folder, then `npm test`, with `--slow` also `npm run test:slow`. `--draw 20 --seed 29` judges faults that are
 * made at random instead; with `--keep` it only writes them to test/mutations/drawn. The results are in .cache/mutations.json, too.
 * Exit codes: 0 each committed fault applies, compiles and is found (or says why it survives), 1 one does not, 2 it could not be judged.
 */

const usage = 'npm run mutations [-- --only PART-OF-A-NAME] [--slow] [--draw NUMBER --seed NUMBER [--keep]]';
const root = join(import.meta.dirname, '..');
const folder = join(root, 'test', 'mutations');

type Judged = Mutation & Verdict & { readonly seconds: number };

let scratch: Scratch | undefined;
const stop = () => {
  scratch?.remove();
  process.exit(130);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
onNpmEnded(stop);

try {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      slow: { type: 'boolean', default: false },
      draw: { type: 'string' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) console.log(usage);
  else {
    scratch = scratchCopy(root);
    const { draw: number } = values;
    const mutations =
      number === undefined
        ? committedMutations(folder, values.only)
        : await draw(scratch, { number: numberOf(number), seed: numberOf(values.seed) });
    if (values.keep) keep(mutations);
    else await judgeAll(scratch, mutations, { isSlow: values.slow, isCommitted: number === undefined });
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
} finally {
  scratch?.remove();
}

async function draw(copy: Scratch, wanted: { number: number; seed: number }): Promise<Mutation[]> {
  const { drawn } = await loadTool<Drawer>(new URL('./tools/mutations/draw.ts', import.meta.url));
  return drawn(copy, wanted);
}

function numberOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(usage);
  return Number(text);
}

function keep(mutations: readonly Mutation[]): void {
  for (const { name, patch } of mutations) writeFileSync(join(folder, `${name}.patch`), patch);
}

async function judgeAll(
  copy: Scratch,
  mutations: readonly Mutation[],
  { isSlow, isCommitted }: { isSlow: boolean; isCommitted: boolean },
): Promise<void> {
  if (mutations.length === 0) throw new Error('there is no such mutation');
  const judge = judgeIn(copy, { isSlow });
  const judged: Judged[] = [];
  mkdirSync(join(root, '.cache'), { recursive: true });
  for (const mutation of mutations) {
    const began = performance.now();
    const one = { ...mutation, ...(await judge(mutation)), seconds: Math.round((performance.now() - began) / 1000) };
    judged.push(one);
    console.log(`${mutation.name}: ${saidOf(one)} (${one.seconds} s)`);
    writeFileSync(join(root, '.cache', 'mutations.json'), `${JSON.stringify(judged, null, 2)}\n`);
  }
  const rows = judged.map((one) => [`\`${one.name}\``, one.sufferer, saidOf(one)]);
  console.log(`\n${table(['mutation', 'what a user suffers', 'found by'], rows)}\n`);
  const counts = Object.entries(Object.groupBy(judged, ({ outcome }) => outcome));
  console.log(counts.map(([outcome, those]) => `${those?.length} ${outcome}`).join(', '));
  const isAsSaid = (one: Judged) => one.outcome === 'found' || (one.outcome === 'survived' && one.survives !== null);
  if (isCommitted && !judged.every(isAsSaid)) process.exitCode = 1;
}

function saidOf(one: Judged): string {
  if (one.outcome === 'broken' || one.outcome === 'unclear') return `${one.outcome}: ${one.why}`;
  if (one.outcome === 'survived') return one.survives === null ? 'survived' : `survived: ${one.survives}`;
  const { script, file, title } = one.by;
  return `${script === 'test' ? '' : '`test:slow`: '}${file === null ? 'the run itself' : `\`${file}\``}: ${title}`;
}
