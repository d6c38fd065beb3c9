/**
 * For a set of numbers: their count, their sum and the sum of their squares. The moments of two sets can be added. If
 * the numbers are whole, the result is exact.
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
 * The mean, and the standard deviation of a sample (with n − 1); null if there are too few numbers.
 *
 * @param unit how many units of the numbers are one unit of the answer
 */
export function spreadOf({ count, sum, squares }: Moments, unit = 1): Spread {
  if (count === 0) return { mean: null, standardDeviation: null };
  const mean = sum / count;
  // Computed as one fraction, so that the deviation of equal numbers is exactly zero.
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
