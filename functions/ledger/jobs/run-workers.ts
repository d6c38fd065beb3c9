/**
 * Runs so many at once. Where one fails, the others end as soon as they look at the signal, and are waited for: none
 * writes on after this is over.
 *
 * @throws what the first one threw
 */
export async function runWorkers(
  count: number,
  run: (index: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const runs = Array.from({ length: count }, (_, index) =>
    run(index, stop.signal).catch((error: unknown) => stop.abort(error)),
  );
  await Promise.all(runs);
  stop.signal.throwIfAborted();
}
