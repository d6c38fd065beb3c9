import { expect, test } from 'vitest';
import { mapWithConcurrency } from '../../lib/runtime/map-with-concurrency.ts';
import { eventually } from '../eventually.ts';

/** Tasks that end when the test says so. */
function held() {
  const begun: number[] = [];
  const tasks = new Map<number, PromiseWithResolvers<string>>();
  const task = (item: number) => {
    const ending = Promise.withResolvers<string>();
    begun.push(item);
    tasks.set(item, ending);
    return ending.promise;
  };
  return {
    begun,
    task,
    ends: (item: number) => tasks.get(item)?.resolve(`of ${item}`),
    fails: (item: number) => tasks.get(item)?.reject(new Error(`of ${item}`)),
  };
}

test('so many tasks run at most, the next one begins when one ends, and the results are in the order of the items', async () => {
  const { begun, task, ends } = held();
  const mapped = mapWithConcurrency([1, 2, 3, 4], 2, task);
  expect(begun).toEqual([1, 2]);
  ends(2);
  await eventually(() => expect(begun).toEqual([1, 2, 3]));
  ends(3);
  await eventually(() => expect(begun).toEqual([1, 2, 3, 4]));
  ends(4);
  ends(1);
  expect(await mapped).toEqual(['of 1', 'of 2', 'of 3', 'of 4']);
});

test('without items nothing runs, and a limit above their number begins each once', async () => {
  const { begun, task, ends } = held();
  expect(await mapWithConcurrency([], 3, task)).toEqual([]);
  const mapped = mapWithConcurrency([1, 2], 3, task);
  expect(begun).toEqual([1, 2]);
  for (const item of begun) ends(item);
  expect(await mapped).toEqual(['of 1', 'of 2']);
});

test('the first failure is thrown, and the other tasks go on behind it', async () => {
  const { begun, task, ends, fails } = held();
  const mapped = mapWithConcurrency([1, 2, 3], 2, task);
  fails(2);
  await expect(mapped).rejects.toThrow('of 2');
  expect(begun).toEqual([1, 2]);
  ends(1);
  await eventually(() => expect(begun).toEqual([1, 2, 3]));
  // Nobody waits for it any more, and it does not count as an error that nobody has handled.
  fails(3);
});
