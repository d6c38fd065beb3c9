/** Does the same with each item, so many at a time. @returns the results in the items' order */
export async function inParallel<T, R>(most: number, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}
