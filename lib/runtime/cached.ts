/** Values that a function keeps between its invocations, in real time. */

/**
 * Keeps what `load` gave for `ms`; one load at a time, and a failed one is not kept.
 *
 * @param elapsed milliseconds of a clock that never steps back
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

/** `value` is what was last loaded, null before the first time; `error` why it could not be loaded just now. */
export type StaleOnError<T> = { value: T | null; error?: unknown };

/**
 * As `cached`, but never fails: while `load` does, its last value stands in. A failure is kept as long as a value, so that
 * an outage costs one wait in each `ms`, not one a call.
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
