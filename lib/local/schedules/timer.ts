export type Timer = { readonly stop: () => void };

/** Longer is one millisecond for Node: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const longest = 2 ** 31 - 1;

/** Calls at a rate that has its time from the start, and keeps no process alive. */
export function openTimer(everyMs: number, tick: () => void): Timer {
  let due = performance.now() + everyMs;
  let timeout: NodeJS.Timeout;
  const wait = () => {
    timeout = setTimeout(act, Math.min(Math.max(due - performance.now(), 0), longest)).unref();
  };
  const act = () => {
    const now = performance.now();
    const isDue = now >= due;
    // A machine that slept has nothing to catch up on.
    if (isDue) due += Math.ceil((now - due + 1) / everyMs) * everyMs;
    wait();
    if (isDue) tick();
  };
  wait();
  return { stop: () => clearTimeout(timeout) };
}
