import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a wait without progress, for example for a mapping whose role may not read. A healthy wait is far shorter. */
const hangMs = 60_000;
const lookMs = 10;

export type UnderWay = {
  /** The names of all work under way. */
  readonly names: () => readonly string[];
  /** Whether all of this work only waits for time to pass. */
  readonly isWaiting: () => boolean;
  /** How many invocations have ended. */
  readonly ended: () => number;
};

/**
 * Waits for a moment at which nothing is under way. Each check sees all places at the same moment, so no work can move
 * unseen from one place to another.
 *
 * @param whileWaiting may let the time pass that all of the work waits for
 * @throws an Error that names what is still under way when no invocation has ended for `limitMs`
 */
export async function untilIdle(
  { names, isWaiting, ended }: UnderWay,
  whileWaiting: () => unknown = () => undefined,
  limitMs = hangMs,
): Promise<void> {
  let progress = { ended: ended(), at: performance.now() };
  for (let busy = names(); busy.length > 0; busy = names()) {
    if (isWaiting()) await whileWaiting();
    const next = ended();
    if (next !== progress.ended) progress = { ended: next, at: performance.now() };
    else if (performance.now() - progress.at > limitMs) throw new Error(`still under way: ${busy.join(', ')}`);
    await sleep(lookMs);
  }
}
