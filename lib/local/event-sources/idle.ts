import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a wait for what stands still, as for a mapping whose role may not read; no healthy wait comes near it. */
const hangMs = 60_000;
const lookMs = 10;

/**
 * Waits for a moment at which nothing is under way. One look sees all at once, so that nothing passes from a place that
 * was looked at to one that was not.
 *
 * @param underWay the names of what is, without waiting for anything
 * @throws an Error that names what is still under way after a minute
 */
export async function untilIdle(underWay: () => readonly string[], limitMs = hangMs): Promise<void> {
  const end = performance.now() + limitMs;
  for (let busy = underWay(); busy.length > 0; busy = underWay()) {
    if (performance.now() > end) throw new Error(`still under way: ${busy.join(', ')}`);
    await sleep(lookMs);
  }
}
