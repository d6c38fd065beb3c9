import { expect, test } from 'vitest';
import { median, medianInterval } from './statistics.ts';

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
