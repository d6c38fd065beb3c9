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

/**
 * Whether the values of one group tend to be larger than those of the other, whatever their distribution (H. B. Mann and D. R. Whitney,
 * 1947), by the normal approximation with the correction for ties: for groups of twenty and more.
 *
 * @returns how often a value of `one` is larger than a value of `other`, equal ones half; and the two-sided p of that, were both alike
 */
export function mannWhitney(one: readonly number[], other: readonly number[]): { share: number; p: number } {
  const [n, m] = [one.length, other.length];
  const all = [...one.map((value) => ({ value, isOne: true })), ...other.map((value) => ({ value, isOne: false }))];
  const sorted = all.toSorted((a, b) => a.value - b.value);
  let [rankSum, ties] = [0, 0];
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]?.value === sorted[from]?.value) to += 1;
    const tied = sorted.slice(from, to);
    // Ranks count from 1, and equal values share the mean of theirs.
    rankSum += tied.filter(({ isOne }) => isOne).length * ((from + 1 + to) / 2);
    ties += tied.length ** 3 - tied.length;
    from = to;
  }
  const u = rankSum - (n * (n + 1)) / 2;
  const total = n + m;
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))));
  const z = deviation === 0 ? 0 : (u - (n * m) / 2) / deviation;
  return { share: u / (n * m), p: twoSided(z) };
}

/** Of the normal distribution, to seven digits: M. Abramowitz and I. A. Stegun, 26.2.17. */
function twoSided(z: number): number {
  const x = Math.abs(z);
  const t = 1 / (1 + 0.2316419 * x);
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = terms.reduce((part, factor, index) => part + factor * t ** (index + 1), 0);
  return Math.min(1, 2 * (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum);
}
