/**
 * Runs `task` for each item, at most `limit` of them at a time.
 *
 * @returns the results, in the items' order
 * @throws what the first task throws that fails; the other tasks go on behind it
 */
export async function mapWithConcurrency<T, R>(
  items: readonly T[],
  limit: number,
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  // One iterator for all workers: each takes the next item that no other worker has taken.
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
