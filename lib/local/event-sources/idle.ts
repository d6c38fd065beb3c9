import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a wait for what stands still, as for a mapping whose role may not read; no healthy wait comes near it. */
const hangMs = 60_000;
const lookMs = 10;

export type UnderWay = {
  /** The names of what is under way. */
  readonly names: () => readonly string[];
  /** Whether all of it waits for nothing but that time passes. */
  readonly isWaiting: () => boolean;
  /** How many invocations have ended. */
  readonly ended: () => number;
};

/**
 * Waits for a moment at which nothing is under way. One look sees all at once, so that nothing passes from a place that
 * was looked at to one that was not.
 *
 * @param whileWaiting may let the time pass that all of it waits for
 * @throws an Error that names what is still under way when no invocation has ended for a minute
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
