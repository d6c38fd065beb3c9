import { type Moments, momentsOf } from './moments.ts';

/**
 * Clock times are points on a circle: 23:55 and 00:05 are ten minutes apart, like 14:55 and 15:05. Pure, in whole
 * numbers.
 */

export type Circle = {
  /** The minutes of a full circle. */
  readonly around: number;
  /**
   * If several cuts of the circle are equally good (for example, with two opposite times), the line that begins first,
   * counted from this time, is used.
   */
  readonly from: number;
};

/** The times in order, once around the circle, beginning at `from`. The result depends only on the clock times. */
export function onCircle(times: readonly number[], { around, from }: Circle): number[] {
  const within = times.map((time) => from + ((((time - from) % around) + around) % around));
  return within.toSorted((one, other) => one - other);
}

/**
 * The times as points on a line, in order. The circle is cut where the times are then nearest to their mean. The cut
 * depends only on the clock times, not on their dates.
 */
export function onLine(times: readonly number[], circle: Circle): number[] {
  const sorted = onCircle(times, circle);
  const { count, sum, squares } = momentsOf(sorted);
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  let before = 0;
  sorted.forEach((time, cut) => {
    // The times before the cut move to the end of the line, by a full circle.
    const cutSum = sum + cut * circle.around;
    const cutSquares = squares + 2 * circle.around * before + cut * circle.around ** 2;
    const spread = count * cutSquares - cutSum * cutSum;
    if (spread < least) [best, least] = [cut, spread];
    before += time;
  });
  return [...sorted.slice(best), ...sorted.slice(0, best).map((time) => time + circle.around)];
}

export function momentsOnCircle(times: readonly number[], circle: Circle): Moments {
  return momentsOf(onLine(times, circle));
}
