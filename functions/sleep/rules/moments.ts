/**
 * Of some numbers: how many, their sum and the sum of their squares. Those of two halves joined are those of the whole, and
 * exactly so where the numbers are whole.
 */
export type Moments = { readonly count: number; readonly sum: number; readonly squares: number };

export const noMoments: Moments = { count: 0, sum: 0, squares: 0 };

/** Null is left out. */
export function momentsOf(values: readonly (number | null)[]): Moments {
  let [count, sum, squares] = [0, 0, 0];
  for (const value of values) {
    if (value === null) continue;
    count += 1;
    sum += value;
    squares += value * value;
  }
  return { count, sum, squares };
}

export function joinedMoments(one: Moments, other: Moments): Moments {
  return { count: one.count + other.count, sum: one.sum + other.sum, squares: one.squares + other.squares };
}

export type Spread = { readonly mean: number | null; readonly standardDeviation: number | null };

/**
 * The mean, and the standard deviation of a sample (by n − 1); null of too few.
 *
 * @param unit how many of the numbers' unit are one of the answer's
 */
export function spreadOf({ count, sum, squares }: Moments, unit = 1): Spread {
  if (count === 0) return { mean: null, standardDeviation: null };
  const mean = sum / count;
  // As one fraction, so that equal numbers have none.
  const variance = count < 2 ? null : (count * squares - sum * sum) / (count * (count - 1));
  return {
    mean: rounded(mean / unit),
    standardDeviation: variance === null ? null : rounded(Math.sqrt(Math.max(0, variance)) / unit),
  };
}

/** To hundredths. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
