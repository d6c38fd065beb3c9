import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { declarations } from '../../functions/domains.ts';
import { root } from '../../lib/bundle/root.ts';
import { nothingCovered, type Stand, spreadFrom, stand, Violated, withSeeds } from '../../lib/explore/explore.ts';
import { openPlatform } from '../../lib/explore/platform.ts';
import type { Scenario } from '../../lib/explore/scenario.ts';
import { type Found, notePlanted } from './explored.ts';
import { openFindings, scenarios } from './scenarios.ts';

/**
 * `npm run explore:planted [-- --only 01 --seconds 30]` plants each fault of `test/explorer/faults` and explores until a promise
 * breaks that holds without the fault. A scenario that is open counts for nothing: it may break by what is in it already.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    /** `1/2` and `2/2` for two processes. */
    part: { type: 'string', default: '1/1' },
    seconds: { type: 'string', default: '30' },
    /** Writes what was found into planted.json. */
    note: { type: 'boolean', default: false },
  },
});

const folder = join(import.meta.dirname, 'faults');
const [part = 1, parts = 1] = values.part.split('/').map(Number);
const patches = readdirSync(folder)
  .filter((name) => name.endsWith('.patch') && (values.only?.some((wanted) => name.startsWith(wanted)) ?? true))
  .filter((_, index) => index % parts === part - 1);
const sound = openPlatform(root, declarations, 'prod');
const holding = scenarios.filter(({ name }) => !(name in openFindings));
/** By scenario; undefined where a promise is broken already. */
const soundStands = new Map<string, Stand | undefined>();
const reached = new Map<string, ReadonlySet<string>>();
// Outside the time of a fault: it is done once for all of them.
for (const scenario of holding) await soundStand(scenario);
let found = 0;
for (const patch of patches) {
  const result = await judge(patch);
  if (result) found += 1;
  console.log(`${basename(patch, '.patch')}: ${result ? told(result) : 'not found'}`);
  if (values.note) notePlanted(basename(patch, '.patch'), result);
}
console.log(`${found} of ${patches.length} found`);
process.exit(0);

function told({ scenario, seed, schedules, seconds, steps, promise }: Found): string {
  if (seed === null) return `${scenario}, without a fault of the schedule: ${promise}`;
  return `${scenario}, seed ${seed}, after ${schedules} schedules and ${seconds} s, in ${steps} steps: ${promise}`;
}

async function judge(patch: string): Promise<Found | null> {
  const text = readFileSync(join(folder, patch), 'utf8');
  const files = [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file);
  const planted = openPlatform(root, declarations, 'prod', patched(join(folder, patch), files));
  const began = performance.now();
  const until = began + Number(values.seconds) * 1000;
  const coverage = nothingCovered();
  const domains = new Set(files.map((file) => /^functions\/([^/]+)\//.exec(file)?.[1] ?? ''));
  const near = (scenario: Scenario) => Number(domains.has(scenario.domain));
  const inOrder = [...holding].sort((one, other) => near(other) - near(one));
  const stands = new Map<string, Stand>();
  for (let round = 0; performance.now() < until; round += 1) {
    for (const scenario of inOrder) {
      if (performance.now() >= until) break;
      const own = await soundStand(scenario);
      if (!own || !files.some((file) => reaches(own).has(join(root, file)))) continue;
      try {
        const stood = stands.get(scenario.name) ?? (await stand(planted, scenario));
        stands.set(scenario.name, stood);
        const count = near(scenario) ? 100 : 30;
        // Both kinds of seeds in turn.
        const first = Math.floor(round / 2) * count + (round % 2) * spreadFrom;
        const seeds = Array.from({ length: count }, (_, index) => first + index);
        const broken = await withSeeds({ ...stood, steps: own.steps }, seeds, coverage);
        if (!broken) continue;
        if (await withSeeds(own, [broken.seed], nothingCovered())) continue;
        const { promise, taken } = broken.violation;
        const seconds = secondsSince(began);
        const { seed } = broken;
        return { scenario: scenario.name, seed, schedules: coverage.schedules, seconds, steps: taken.length, promise };
      } catch (error) {
        if (!(error instanceof Violated)) throw error;
        const { promise, taken } = error.violation;
        const seconds = secondsSince(began);
        return {
          scenario: scenario.name,
          seed: null,
          schedules: coverage.schedules,
          seconds,
          steps: taken.length,
          promise,
        };
      }
    }
  }
  return null;
}

function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 100) / 10;
}

/** The files on which a scenario's functions stand; a fault elsewhere changes nothing in it. */
function reaches({ scenario, platform, invoked }: Stand): ReadonlySet<string> {
  const known = reached.get(scenario.name);
  if (known) return known;
  const made = new Set([...invoked].flatMap((file) => [...platform.modules.reach(file)]));
  reached.set(scenario.name, made);
  return made;
}

async function soundStand(scenario: Scenario): Promise<Stand | undefined> {
  if (!soundStands.has(scenario.name)) {
    soundStands.set(
      scenario.name,
      await stand(sound, scenario).catch((error: unknown) => {
        if (error instanceof Violated) return undefined;
        throw error;
      }),
    );
  }
  return soundStands.get(scenario.name);
}

/** The files that a patch changes, with its changes, by path. */
function patched(patch: string, files: readonly string[]): Map<string, string> {
  const place = mkdtempSync(join(tmpdir(), 'planted-'));
  try {
    for (const file of files) {
      mkdirSync(dirname(join(place, file)), { recursive: true });
      copyFileSync(join(root, file), join(place, file));
    }
    execFileSync('git', ['apply', patch], { cwd: place, stdio: 'inherit' });
    return new Map(files.map((file) => [join(root, file), readFileSync(join(place, file), 'utf8')]));
  } finally {
    rmSync(place, { recursive: true });
  }
}
