import { join } from 'node:path';
import { declarations } from '../../functions/domains.ts';
import { root } from '../../lib/bundle/root.ts';
import { type Coverage, nothingCovered, stand, Violated } from '../../lib/explore/explore.ts';
import { openPlatform } from '../../lib/explore/platform.ts';
import type { Scenario } from '../../lib/explore/scenario.ts';
import { type Condition, conditions } from './conditions.ts';
import { type Found, noteWeakened, readUnfound, readWeakened } from './explored.ts';
import { firstFind, isOpen } from './finds.ts';
import { judge } from './judge.ts';
import { isReached, type Planted, soundStand } from './plant.ts';
import { openFindings } from './scenarios.ts';

/** Weakens each condition of a write, and explores which scenario of its domain shows it. */

/** Of all scenarios of the domain together. */
const mostSchedules = 2_000;
/** Of each scenario, where all are asked: a round of both kinds of seeds. */
const schedulesOfEach = 60;

/** @param only what the names contain @param isAgain also those that were found before @returns whether all are answered */
export async function weakenAll(
  scenarios: readonly Scenario[],
  { isAgain, ...wish }: Wish & { isAgain: boolean },
): Promise<boolean> {
  const known = readWeakened();
  const wanted = wished(wish, ({ name }) => isAgain || !(name in known));
  let unanswered = 0;
  for (const [index, condition] of wanted.entries()) {
    const found = await weakened(condition, scenarios);
    noteWeakened(condition.name, found);
    if (found === null || found === 'unreached') unanswered += 1;
    console.log(`${index + 1} of ${wanted.length}: ${condition.name}: ${told(found)}`);
  }
  return unanswered === 0;
}

/**
 * Whether each condition still has its answer: the noted seed shows it, or another one where code has changed since, or its reason
 * is noted. Notes nothing.
 */
export async function checkWeakened(scenarios: readonly Scenario[], wish: Wish): Promise<boolean> {
  const known = readWeakened();
  const reasons = readUnfound();
  let unanswered = 0;
  for (const condition of wished(wish, ({ name }) => !(name in reasons))) {
    const was = known[condition.name];
    if (was && was !== 'unreached' && (await isSeenAgain(condition, was, scenarios))) continue;
    const found = await weakened(condition, scenarios);
    if (found === null || found === 'unreached') unanswered += 1;
    console.log(`${condition.name}: ${told(found)}`);
  }
  return unanswered === 0;
}

/** `part`: one of several processes. */
type Wish = { readonly only: readonly string[]; readonly part: readonly [number, number] };

function wished({ only, part: [part, parts] }: Wish, isWanted: (condition: Condition) => boolean): Condition[] {
  return conditions()
    .filter(({ name }) => only.length === 0 || only.some((each) => name.includes(each)))
    .filter(isWanted)
    .filter((_, index) => index % parts === part - 1);
}

async function isSeenAgain(condition: Condition, { scenario: name, seed }: Found, scenarios: readonly Scenario[]) {
  const scenario = scenarios.find((each) => each.name === name);
  const sound = scenario && (await soundStand(scenario));
  if (!sound) return false;
  try {
    const planted = await stand(plantedIn(condition).platform, scenario);
    return seed !== null && (await firstFind({ planted, sound }, [seed], nothingCovered(), openFindings)) !== null;
  } catch (error) {
    if (error instanceof Violated) return !isOpen(openFindings, error.violation);
    throw error;
  }
}

function plantedIn({ name, file, weakened: text }: Condition): Planted {
  const changed = new Map([[join(root, file), text]]);
  return { name, files: [file], platform: openPlatform(root, declarations, 'prod', changed) };
}

async function weakened(condition: Condition, scenarios: readonly Scenario[]) {
  const { domain } = condition;
  const planted = plantedIn(condition);
  if (!(await isReachedBy(planted, scenarios))) return 'unreached';
  const isOver = (most: number) => (coverage: Coverage) => coverage.schedules >= most;
  const own = scenarios.filter((scenario) => scenario.domain === domain);
  // Those of other domains, where they write the same tables.
  return (
    (await judge(planted, own, isOver(mostSchedules))) ??
    judge(planted, scenarios, isOver(schedulesOfEach * scenarios.length))
  );
}

async function isReachedBy(planted: Planted, scenarios: readonly Scenario[]): Promise<boolean> {
  for (const scenario of scenarios) {
    const sound = await soundStand(scenario);
    if (sound && isReached(planted, sound)) return true;
  }
  return false;
}

function told(found: Found | 'unreached' | null): string {
  if (found === null) return 'not found';
  if (found === 'unreached') return 'no scenario reaches it';
  return `${found.scenario}, after ${found.schedules} schedules: ${found.promise}`;
}
