export type Timer = { readonly stop: () => void };

/** Node treats a longer delay as one millisecond: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const longest = 2 ** 31 - 1;

/** Calls `tick` at a fixed rate, counted from the start. Keeps no process alive. */
export function openTimer(everyMs: number, tick: () => void): Timer {
  let due = performance.now() + everyMs;
  let timeout: NodeJS.Timeout;
  const wait = () => {
    timeout = setTimeout(act, Math.min(Math.max(due - performance.now(), 0), longest)).unref();
  };
  const act = () => {
    const now = performance.now();
    const isDue = now >= due;
    // After the machine slept, missed ticks are not repeated.
    if (isDue) due += Math.ceil((now - due + 1) / everyMs) * everyMs;
    wait();
    if (isDue) tick();
  };
  wait();
  return { stop: () => clearTimeout(timeout) };
}
