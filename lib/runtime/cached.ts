/** Values that a function keeps between its invocations, in real time. */

/**
 * Keeps the result of `load` for `ms`. Only one load runs at a time, and a failed one is not kept.
 *
 * @param elapsed milliseconds of a clock that never goes back
 */
export function cached<T>(load: () => Promise<T>, ms: number, elapsed: () => number): () => Promise<T> {
  let now: { until: number; value: Promise<T> } | undefined;
  return () => {
    if (now && elapsed() < now.until) return now.value;
    const loading = { until: elapsed() + ms, value: load() };
    now = loading;
    loading.value.catch(() => {
      if (now === loading) now = undefined;
    });
    return loading.value;
  };
}

/** `value` is the last loaded value, null before the first. `error` is the reason why it could not be loaded now. */
export type StaleOnError<T> = { value: T | null; error?: unknown };

/**
 * As `cached`, but it never fails: while `load` fails, the last value is used. A failure is kept as long as a value, so an
 * outage costs one wait in each `ms` instead of one for each call.
 */
export function staleOnError<T>(
  load: () => Promise<T>,
  ms: number,
  elapsed: () => number,
): () => Promise<StaleOnError<T>> {
  let value: T | null = null;
  const attempt = async (): Promise<StaleOnError<T>> => {
    try {
      value = await load();
      return { value };
    } catch (error) {
      return { value, error };
    }
  };
  return cached(attempt, ms, elapsed);
}
