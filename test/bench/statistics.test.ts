import { expect, test } from 'vitest';
import { mannWhitney, median, medianInterval } from './statistics.ts';

const around = (centre: number) => Array.from({ length: 60 }, (_, index) => centre + (index - 30) / 10);

test('the interval of the median holds it, and is the same for the same values', () => {
  const values = around(2);
  const [low, high] = medianInterval(values);
  expect(low).toBeLessThan(median(values));
  expect(high).toBeGreaterThan(median(values));
  expect(medianInterval(values)).toEqual([low, high]);
});

test('it is as wide as chance: about the standard error of the median to either side', () => {
  // A uniform distribution 6 wide: its median of 60 has a standard error of 6 / (2 · √60) = 0.39.
  const [low, high] = medianInterval(around(0));
  expect(high - low).toBeGreaterThan(1);
  expect(high - low).toBeLessThan(2.2);
});

test('values that are all the same leave no doubt', () => {
  expect(medianInterval([3, 3, 3])).toEqual([3, 3]);
});

test('of two groups that are alike each is the larger one half of the time', () => {
  const { share, p } = mannWhitney(around(2), around(2));
  expect(share).toBe(0.5);
  expect(p).toBeCloseTo(1, 6);
});

test('a shift between two groups is found in both directions', () => {
  const [low, high] = [mannWhitney(around(2), around(4)), mannWhitney(around(4), around(2))];
  expect(low.share + high.share).toBeCloseTo(1, 10);
  expect(high.share).toBeGreaterThan(0.7);
  expect(high.p).toBeLessThan(0.001);
  expect(low.p).toBeCloseTo(high.p, 10);
  expect(mannWhitney(around(20), around(2)).share).toBe(1);
});

test('the statistic of a small example with ties, and values that are all the same', () => {
  // By hand: of 12 pairs 8 are larger and 3 equal, so U = 9.5. Its variance is 4·3/12 · (8 − 30/42) = 7.286, so z = 3.5 / 2.699 = 1.297.
  const { share, p } = mannWhitney([3, 4, 4, 7], [1, 3, 4]);
  expect(share).toBeCloseTo(9.5 / 12, 10);
  expect(p).toBeCloseTo(0.195, 3);
  expect(mannWhitney([1, 1], [1, 1])).toEqual({ share: 0.5, p: expect.closeTo(1, 6) });
});
