import { expect, test } from 'vitest';
import { Unavailable } from '../../lib/contract/common-errors.ts';
import { Failure } from '../../lib/runtime/failure.ts';
import { contended, jitter, retryOnContention } from '../../lib/runtime/retry-on-contention.ts';

test('returns the result of the first attempt without a conflict', async () => {
  const paused: number[] = [];
  const pause = async (attempt: number) => void paused.push(attempt);
  expect(await retryOnContention(async (number) => (number < 3 ? contended : `after ${number}`), { pause })).toBe(
    'after 3',
  );
  expect(paused).toEqual([1, 2, 3]);
});

test.each([
  [undefined, 6],
  [0, 1],
  [10, 11],
])('with %j retries contention is UNAVAILABLE after %i attempts', async (retries, attempts) => {
  let made = 0;
  const attempt = async () => {
    made += 1;
    return contended;
  };
  const pause = async () => undefined;
  await expect(retryOnContention(attempt, { pause, ...(retries !== undefined && { retries }) })).rejects.toEqual(
    new Failure(Unavailable),
  );
  expect(made).toBe(attempts);
});

test('an error of an attempt ends it', async () => {
  let made = 0;
  const attempt = async () => {
    made += 1;
    throw new Error('no');
  };
  await expect(retryOnContention(attempt)).rejects.toThrow('no');
  expect(made).toBe(1);
});

test('null and undefined are answers', async () => {
  expect(await retryOnContention(async () => null)).toBeNull();
  expect(await retryOnContention(async () => undefined)).toBeUndefined();
});

test('the pause between two attempts ends by itself', async () => {
  await expect(jitter(1)).resolves.toBeUndefined();
});
