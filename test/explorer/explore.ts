import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { declarations } from '../../functions/domains.ts';
import { root } from '../../lib/bundle/root.ts';
import {
  allWithin,
  depth,
  drawnBy,
  nothingCovered,
  pairsIn,
  shrunk,
  stand,
  Violated,
  withSeeds,
} from '../../lib/explore/explore.ts';
import { openPlatform } from '../../lib/explore/platform.ts';
import type { Violation } from '../../lib/explore/run.ts';
import type { Scenario } from '../../lib/explore/scenario.ts';
import { type Explored, noted } from './explored.ts';
import { NotReplayable } from './not-replayable.ts';
import { replayed } from './replay.ts';
import { scenarios } from './scenarios.ts';
import { checkWeakened, weakenAll } from './weaken.ts';

const values = new Command('npm run explore --')
  .description('Explores the schedules of scenarios. Without --seed or --exhaustive it runs 5000 seeds of each.')
  .option('--scenario <names...>', 'these scenarios')
  .option('--all', 'every scenario, a process a core', false)
  .option(
    '--seed <number>',
    'tell the story of the schedule that breaks a promise, by the fewest steps; random begins anywhere',
  )
  .option('--schedules <number>', 'so many seeds')
  .option('--exhaustive', "every order within the scenario's bounds", false)
  .option('--replay', 'play what breaks once more on the real stage', false)
  .option('--note', 'write the figures into explored.json', false)
  .option(
    '--weaken',
    'let each condition of a write always hold, one at a time; what shows it goes into weakened.json',
    false,
  )
  .option('--only <parts...>', 'with --weaken: conditions with this part of a name', [])
  .option('--again', 'with --weaken: also those that were judged', false)
  .option('--part <part/parts>', 'with --weaken: one of several processes', '1/1')
  .option('--known', 'with --weaken: whether each condition still has its answer; nothing is noted', false)
  .parse()
  .opts<{
    scenario?: string[];
    all: boolean;
    seed?: string;
    schedules?: string;
    exhaustive: boolean;
    replay: boolean;
    note: boolean;
    weaken: boolean;
    only: string[];
    again: boolean;
    part: string;
    known: boolean;
  }>();

if (values.weaken) {
  const [part = 1, parts = 1] = values.part.split('/').map(Number);
  const wish = { only: values.only, part: [part, parts] } as const;
  const isAnswered = values.known
    ? checkWeakened(scenarios, wish)
    : weakenAll(scenarios, { ...wish, isAgain: values.again });
  process.exit((await isAnswered) ? 0 : 1);
}
const wanted = values.all ? scenarios : scenarios.filter(({ name }) => values.scenario?.includes(name));
if (wanted.length === 0) {
  console.error(`name a scenario, or --all: ${scenarios.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const first = values.seed === 'random' ? Math.floor(Math.random() * 1e9) : Number(values.seed ?? 1);
const count = Number(values.schedules ?? (values.seed && values.seed !== 'random' ? 1 : 5000));

type Result = Explored & { readonly isBroken: boolean };

const results = new Map<string, Result>();
if (process.send) await obey();
else if (wanted.length > 1) await onEachCore(wanted.map(({ name }) => name));
else for (const scenario of wanted) results.set(scenario.name, await explored(scenario));
if (values.note) noted(results, values.exhaustive ? 'exhaustive' : 'seeds');
process.exit([...results.values()].some(({ isBroken }) => isBroken) ? 1 : 0);

/** The next scenario goes to the process that is free. */
async function onEachCore(names: string[]): Promise<void> {
  const left = [...names];
  const workers = Array.from({ length: Math.min(availableParallelism(), names.length) }, () =>
    fork(import.meta.filename, process.argv.slice(2)),
  );
  await Promise.all(workers.map((worker) => workThrough(worker, left)));
}

function workThrough(worker: ChildProcess, left: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let name: string | undefined;
    const next = () => {
      name = left.shift();
      if (name === undefined) worker.disconnect();
      else worker.send(name);
    };
    worker.on('message', (result: Result) => {
      if (name !== undefined) results.set(name, result);
      next();
    });
    worker.once('exit', () => (name === undefined ? resolve() : reject(new Error(`the process ended in ${name}`))));
    next();
  });
}

/** A process of the above: explores what it is sent. */
function obey(): Promise<never> {
  process.once('disconnect', () => process.exit(0));
  process.on('message', async (name) => {
    const scenario = scenarios.find((each) => each.name === name);
    if (scenario) process.send?.(await explored(scenario));
  });
  return new Promise(() => undefined);
}

async function explored(scenario: Scenario): Promise<Result> {
  const began = performance.now();
  const coverage = nothingCovered();
  const platform = openPlatform(root, declarations, 'prod');
  let told = scenario;
  try {
    const stood = await stand(platform, scenario);
    const all = values.exhaustive ? await allWithin(stood, coverage) : null;
    const found = all
      ? all.violation && { violation: all.violation, seed: 'in all orders' }
      : await withSeeds(stood, seedsFrom(first), coverage);
    if (found) {
      console.log(`${scenario.name}: seed ${found.seed}`);
      told = typeof found.seed === 'number' ? drawnBy(scenario, found.seed) : scenario;
      throw new Violated(await shrunk(platform, told, stood.state, found.violation));
    }
    const seconds = (performance.now() - began) / 1000;
    const { both, all: pairs } = pairsIn(coverage);
    const faults = scenario.exhaustive?.faults ?? 0;
    console.log(
      `${scenario.name}: ${coverage.schedules} schedules (${coverage.orders.size} orders of conflicting calls), ` +
        `${(coverage.schedules / seconds).toFixed(0)} a second; ${both} of ${pairs} pairs of calls in both orders; ` +
        (all
          ? `${all.isComplete ? 'exhaustive' : 'not exhausted'} (${all.states} states, ${faults} faults)`
          : `priorities reach depth ${depth} at some ${stood.steps} steps`),
    );
    const { schedules, orders } = coverage;
    const states = all ? { states: all.states, faults, isComplete: all.isComplete } : {};
    return { isBroken: false, schedules, orders: orders.size, both, pairs, ...states };
  } catch (error) {
    if (!(error instanceof Violated)) throw error;
    const { promise, reason, story } = error.violation;
    console.log(
      `${scenario.name} breaks: ${promise}\n${reason}\n\n${story.map((line, index) => `${String(index + 1).padStart(4)}  ${line}`).join('\n')}`,
    );
    if (values.replay) console.log(await onTheStage(told, error.violation));
    return { isBroken: true, schedules: coverage.schedules, orders: coverage.orders.size, both: 0, pairs: 0 };
  }
}

async function onTheStage(scenario: Scenario, violation: Violation): Promise<string> {
  try {
    const reason = await replayed(scenario, violation);
    return `\non the stage: ${reason === null ? 'it does not break' : `it breaks, too: ${reason}`}`;
  } catch (error) {
    if (!(error instanceof NotReplayable)) throw error;
    return `\non the stage: not replayed, since ${error.message}`;
  }
}

function seedsFrom(seed: number): number[] {
  return Array.from({ length: count }, (_, index) => seed + index);
}
