import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { table } from './markdown.ts';
import { judgeIn, type Verdict } from './mutations/judge.ts';
import { committedMutations, type Drawer, type Mutation } from './mutations/patches.ts';
import { type Scratch, scratchCopy } from './mutations/scratch.ts';
import { onNpmEnded } from './npm-process.ts';
import { loadTool } from './tools.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'test', 'mutations');
const results = join(root, '.cache', 'mutations.json');
const head = sourcesOfHead();

type Judged = Mutation & Verdict & { readonly seconds: number };

let scratch: Scratch | undefined;

type Options = {
  readonly only: string;
  readonly near: boolean;
  readonly slow: boolean;
  readonly draw?: number;
  readonly seed: number;
  readonly keep: boolean;
};

export async function run({ only, near, slow, draw: number, seed, keep: isKept }: Options): Promise<void> {
  const stop = () => {
    scratch?.remove();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  onNpmEnded(stop);
  try {
    scratch = scratchCopy(root);
    const mutations = number === undefined ? committedMutations(folder, only) : await draw(scratch, { number, seed });
    if (isKept) keep(mutations);
    else await judgeAll(scratch, mutations, { isSlow: slow, isNear: near, isCommitted: number === undefined });
  } finally {
    scratch?.remove();
  }
}

async function draw(copy: Scratch, wanted: { number: number; seed: number }): Promise<Mutation[]> {
  const { drawn } = await loadTool<Drawer>(new URL('./tools/mutations/draw.ts', import.meta.url));
  return drawn(copy, wanted);
}

/** Of all but faults and documents: the same sources and tests give the same results. */
function sourcesOfHead(): string {
  const files = execFileSync('git', ['ls-tree', '-r', 'HEAD'], { cwd: root, encoding: 'utf8' }).split('\n');
  const others = files.filter((line) => !/\t((test|bin)\/mutations|docs)[/.]/.test(line));
  return createHash('sha256').update(others.join('\n')).digest('hex');
}

function keep(mutations: readonly Mutation[]): void {
  for (const { name, patch } of mutations) writeFileSync(join(folder, `${name}.patch`), patch);
}

async function judgeAll(
  copy: Scratch,
  mutations: readonly Mutation[],
  { isSlow, isNear, isCommitted }: { isSlow: boolean; isNear: boolean; isCommitted: boolean },
): Promise<void> {
  if (mutations.length === 0) throw new Error('there is no such mutation');
  const before = isCommitted ? judgedBefore() : {};
  const passing = new Map(Object.entries(before.passing ?? {}));
  const judge = judgeIn(copy, passing);
  const known = (before.judged ?? []).filter(
    ({ name, patch }) => !mutations.some((each) => each.name === name && each.patch !== patch),
  );
  const judged = new Map(known.map((one) => [one.name, one]));
  let began = performance.now();
  const tell = (mutation: Mutation, verdict: Verdict) => {
    const seconds = Math.round((performance.now() - began) / 1000) + (judged.get(mutation.name)?.seconds ?? 0);
    const one = { ...mutation, ...verdict, seconds };
    judged.set(mutation.name, one);
    console.log(`${mutation.name}: ${saidOf(one)} (${seconds} s)`);
    mkdirSync(dirname(results), { recursive: true });
    writeFileSync(
      results,
      `${JSON.stringify({ head, passing: Object.fromEntries(passing), judged: [...judged.values()] }, null, 2)}\n`,
    );
    began = performance.now();
  };
  const left = (isLeft: (outcome: Judged | undefined) => boolean) =>
    mutations.filter(({ name }) => isLeft(judged.get(name)));
  await judge.compile(left((one) => !one));
  began = performance.now();
  for (const mutation of left((one) => !one)) tell(mutation, await judge.near(mutation, 'test'));
  const isAnywhere = (one: Judged | undefined) =>
    one?.outcome === 'unclear' || (one?.outcome === 'survived' && !one.wherever);
  if (!isNear) await judge.wherever(left(isAnywhere), 'test', tell);
  if (isSlow)
    await judge.wherever(
      left((one) => one?.outcome === 'survived' && one.slowFiles.length === 0),
      'test:slow',
      tell,
    );

  const all = mutations.flatMap(({ name }) => judged.get(name) ?? []);
  const rows = all.map((one) => [`\`${one.name}\``, one.sufferer, saidOf(one)]);
  console.log(`\n${table(['mutation', 'what a user suffers', 'found by'], rows)}\n`);
  const counts = Object.entries(Object.groupBy(all, ({ outcome }) => outcome));
  console.log(counts.map(([outcome, those]) => `${those?.length} ${outcome}`).join(', '));
  const isAsSaid = (one: Judged) => one.outcome === 'found' || (one.outcome === 'survived' && one.survives !== null);
  if (isCommitted && !all.every(isAsSaid)) process.exitCode = 1;
}

type Before = { readonly head?: string; readonly passing?: Record<string, boolean>; readonly judged?: Judged[] };

/** What an interrupted run found in the same sources. */
function judgedBefore(): Before {
  const before: Before = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : {};
  return before.head === head ? before : {};
}

function saidOf(one: Judged): string {
  if (one.outcome === 'broken' || one.outcome === 'unclear') return `${one.outcome}: ${one.why}`;
  if (one.outcome === 'survived') return one.survives === null ? 'survived' : `survived: ${one.survives}`;
  const { script, file, title } = one.by;
  return `${script === 'test' ? '' : '`test:slow`: '}${file === null ? 'the run itself' : `\`${file}\``}: ${title}`;
}
