import { type Moments, momentsOf } from './moments.ts';

/** Times of a clock lie on a circle: 23:55 and 00:05 are ten minutes apart, and so are 14:55 and 15:05. Pure, in whole numbers. */

export type Circle = {
  /** Once around. */
  readonly around: number;
  /** Where the line begins that is taken where several are as good, as of two opposite times. */
  readonly from: number;
};

/** The times from `from` on, once around, in order: the same for the same times on the clock. */
export function onCircle(times: readonly number[], { around, from }: Circle): number[] {
  const within = times.map((time) => from + ((((time - from) % around) + around) % around));
  return within.toSorted((one, other) => one - other);
}

/**
 * The same times on a line, in order: the circle is cut where they are nearest to their mean then. Which one that is follows
 * only from the times, whatever their dates.
 */
export function onLine(times: readonly number[], circle: Circle): number[] {
  const sorted = onCircle(times, circle);
  const { count, sum, squares } = momentsOf(sorted);
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  let before = 0;
  sorted.forEach((time, cut) => {
    // Those before the cut are once around further.
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
