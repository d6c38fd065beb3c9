/**
 * Runs so many at once. If one fails, the others end as soon as they check the signal, and this function waits for
 * them: so none writes after it has returned.
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
