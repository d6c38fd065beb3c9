/** What many measurements of one thing come to. */

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Round by round, since within a round both sides met the same machine. */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

/**
 * The 95 % interval of the median: how far the medians of resamples lie apart (B. Efron, Bootstrap Methods, 1979). The
 * same values have the same interval.
 */
export function medianInterval(values: readonly number[], resamples = 10_000): readonly [low: number, high: number] {
  const random = seeded(1);
  const medians = Array.from({ length: resamples }, () =>
    median(values.map(() => values[Math.floor(random() * values.length)] ?? Number.NaN)),
  );
  return [quantile(medians, 0.025), quantile(medians, 0.975)];
}

/** From 0 to below 1: mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
