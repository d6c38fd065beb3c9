import { Command } from 'commander';
import type { Coverage } from '../../lib/explore/explore.ts';
import { type Found, notePlanted, noteReddened, readPlanted } from './explored.ts';
import { judge } from './judge.ts';
import { patchesOf, plant, soundStand } from './plant.ts';
import { brokenBy } from './reddened.ts';
import { openFindings, scenarios } from './scenarios.ts';

const values = new Command('npm run explore:planted --')
  .description(
    'Plants each fault of test/explorer/faults and explores until a promise breaks that holds without it. A fault that was found before has four times the schedules that it took then. A promise that is open counts for nothing.',
  )
  .option('--only <beginnings...>', 'faults whose names begin so')
  .option('--part <part/parts>', 'one of several processes', '1/1')
  .option('--seconds <number>', 'for each fault that was never found', '30')
  .option('--promises', 'every promise that breaks, and not the first one', false)
  .option('--note', 'write what was found into planted.json, or the promises into reddened.json', false)
  .parse()
  .opts<{ only?: string[]; part: string; seconds: string; promises: boolean; note: boolean }>();

const seconds = Number(values.seconds);
let isWorse = false;
const [part = 1, parts = 1] = values.part.split('/').map(Number);
const patches = patchesOf(values.only).filter((_, index) => index % parts === part - 1);
// Outside the time of a fault: it is done once for all of them.
for (const scenario of scenarios) await soundStand(scenario);
if (values.promises) await findPromises();
else await findFirst();
process.exit(isWorse ? 1 : 0);

async function findPromises(): Promise<void> {
  for (const patch of patches) {
    const planted = plant(patch);
    const broken = await brokenBy(planted, scenarios, openFindings, seconds);
    const lines = [...broken].map(([scenario, promises]) => `  ${scenario}: ${[...promises].join('; ')}`);
    console.log([planted.name, ...lines].join('\n'));
    if (values.note) noteReddened(broken);
  }
}

async function findFirst(): Promise<void> {
  let found = 0;
  const known = readPlanted();
  for (const patch of patches) {
    const planted = plant(patch);
    const before = known[planted.name];
    const began = performance.now();
    // Schedules are the limit of what was found before, since seconds would make a slow machine find less.
    const isOver = ({ schedules }: Coverage) =>
      before ? schedules > Math.max(1_000, 4 * before.schedules) : performance.now() - began > seconds * 1000;
    const result = await judge(planted, scenarios, isOver);
    if (result) found += 1;
    // A fault that was found once and is not any more.
    else if (before) isWorse = true;
    console.log(`${planted.name}: ${result ? told(result) : 'not found'}`);
    if (values.note) notePlanted(planted.name, result);
  }
  console.log(`${found} of ${patches.length} found`);
}

function told({ scenario, seed, schedules, seconds: took, steps, promise }: Found): string {
  if (seed === null) return `${scenario}, without a fault of the schedule: ${promise}`;
  return `${scenario}, seed ${seed}, after ${schedules} schedules and ${took} s, in ${steps} steps: ${promise}`;
}
