type Deadline = { readonly at: number; readonly expire: () => void };

// Durations come from the template, so their number is bounded.
const byDuration = new Map<number, Set<Deadline>>();

/**
 * Time-outs of calls that nearly always end in time. A timer for each call costs a tenth of a request. Here one timer
 * serves all calls of the same duration. It runs on after its calls have ended, and keeps no process alive.
 *
 * @returns a function that ends the wait
 */
export function after(milliseconds: number, expire: () => void): () => void {
  const waiting = byDuration.get(milliseconds) ?? opened(milliseconds);
  const deadline = { at: performance.now() + milliseconds, expire };
  waiting.add(deadline);
  return () => void waiting.delete(deadline);
}

function opened(duration: number): Set<Deadline> {
  const waiting = new Set<Deadline>();
  byDuration.set(duration, waiting);
  watch(duration, waiting, duration);
  return waiting;
}

/** Deadlines of one duration expire in the order in which they began. */
function watch(duration: number, waiting: Set<Deadline>, milliseconds: number): void {
  const look = () => {
    const now = performance.now();
    for (const deadline of waiting) {
      if (deadline.at > now) return watch(duration, waiting, deadline.at - now);
      waiting.delete(deadline);
      deadline.expire();
    }
    byDuration.delete(duration);
  };
  setTimeout(look, Math.ceil(milliseconds)).unref();
}
