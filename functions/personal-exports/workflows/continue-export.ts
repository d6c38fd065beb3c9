import { randomUUID } from 'node:crypto';
import { claimed, done, failed, type PersonalExport, type Progress, progressed } from '../rules/export.ts';
import { type Plan, progressIn } from '../rules/plan.ts';
import { type Gathering, gather, isGathered } from './gather.ts';

/**
 * One invocation's share of an export. It can break off anywhere: what is put lies under a name that follows from the progress,
 * and the progress is written after it. An export whose row is gone was erased with its person: what lies of it goes.
 */

export type World = {
  readonly read: () => Promise<PersonalExport | null>;
  /** @returns false where another function was first, or the person was erased: nothing is written then */
  readonly replace: (before: PersonalExport, after: PersonalExport) => Promise<boolean>;
  readonly removeAll: () => Promise<void>;
  readonly removeParts: () => Promise<void>;
  readonly sources: (row: PersonalExport) => Promise<Omit<Gathering, 'save' | 'isTimeUp'>>;
  /** @returns its length */
  readonly putZip: (row: PersonalExport, progress: Progress) => Promise<number>;
  /** @param later when another function may still be at it */
  readonly sendOn: (later: boolean) => Promise<void>;
  readonly now: () => Date;
  readonly remainingMs: () => number;
};

export type Outcome = 'done' | 'goes on' | 'waits' | 'over' | 'erased' | 'given up';

/** Its message comes again. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

class Erased extends Error {}

/** A page, a part and the row's change are done in a fraction of it. */
const enoughToGatherMs = 15_000;
/** The ZIP is made in one go, and gets most of an invocation. */
const enoughToZipMs = 40_000;
/** Clocks of two functions are less apart. */
const leaseSlackMs = 2_000;

export async function continueExport(plan: Plan, world: World): Promise<Outcome> {
  try {
    return await attempt(plan, world);
  } catch (error) {
    if (!(error instanceof Erased)) throw error;
    await world.removeAll();
    return 'erased';
  }
}

async function attempt(plan: Plan, world: World): Promise<Outcome> {
  const { now, remainingMs } = world;
  const row = await world.read();
  if (!row) throw new Erased();
  const until = new Date(now().getTime() + remainingMs() + leaseSlackMs);
  const claim = claimed(row, now(), until, randomUUID());
  if (claim.outcome === 'over') {
    // An invocation may have ended between the row and the parts.
    await (row.status === 'done' ? world.removeParts() : world.removeAll());
    return 'over';
  }
  if (claim.outcome === 'busy') {
    await world.sendOn(true);
    return 'waits';
  }
  let current = await change(world, row, claim.after);
  if (claim.outcome === 'given-up') {
    await world.removeAll();
    return 'given up';
  }
  const { progress: known, isNew } = progressIn(plan, current.progress);
  if (isNew) await world.removeAll();
  const save = async (progress: Progress, leaves = false) => {
    current = await change(world, current, progressed(current, progress, now(), leaves));
  };
  const isTimeUp = () => remainingMs() < enoughToGatherMs;
  const progress = await gather(plan, known, { ...(await world.sources(current)), save, isTimeUp });
  if (!isGathered(plan, progress) || remainingMs() < enoughToZipMs) {
    await save(progress, true);
    await world.sendOn(false);
    return 'goes on';
  }
  const size = await world.putZip(current, progress);
  await change(world, current, done(current, size, now()));
  await world.removeParts();
  return 'done';
}

/** The export cannot be made: its person sees that, and no part of it is kept. */
export async function giveUp(world: Pick<World, 'read' | 'replace' | 'removeAll' | 'now'>): Promise<void> {
  const row = await world.read();
  if (row?.status === 'done') return;
  const isFailed = !row || row.status === 'failed' || (await world.replace(row, failed(row, world.now())));
  // Otherwise another function works on it, and has made a step in the meantime.
  if (!isFailed && (await world.read()) !== null) return;
  await world.removeAll();
}

async function change(world: World, before: PersonalExport, after: PersonalExport): Promise<PersonalExport> {
  if (await world.replace(before, after)) return after;
  if ((await world.read()) === null) throw new Erased();
  throw new Overtaken();
}
