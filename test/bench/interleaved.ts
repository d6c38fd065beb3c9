/**
 * Measures each of `things` once a round. Whoever comes first in a round would be favoured or not by what else the
 * machine does: they take turns at it.
 *
 * @returns by thing, a result for each round
 */
export async function interleaved<T, R>(
  rounds: number,
  things: readonly T[],
  measure: (thing: T) => Promise<R>,
): Promise<Map<T, R[]>> {
  const results = new Map<T, R[]>(things.map((thing) => [thing, []]));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % things.length;
    for (const thing of [...things.slice(first), ...things.slice(0, first)]) {
      results.get(thing)?.push(await measure(thing));
    }
  }
  return results;
}
