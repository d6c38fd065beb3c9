import { expect, test } from 'vitest';
import { isContention } from '../../lib/runtime/failure.ts';
import { type Part, runAllThenThrow } from '../../lib/runtime/run-all-then-throw.ts';

const named = (name: string) => Object.assign(new Error('of somebody'), { name });
const contention = Object.assign(named('TransactionCanceledException'), {
  CancellationReasons: [{ Code: 'TransactionConflict' }],
});

/** @returns which parts were done, and what was thrown at the end */
async function run(failures: Readonly<Record<string, Error | null>>) {
  const done: string[] = [];
  const parts = Object.entries(failures).map(([name, error]): Part => {
    const act = async () => {
      if (error) throw error;
      done.push(name);
    };
    return [name, act];
  });
  const thrown = await runAllThenThrow(parts).then(
    () => null,
    (error: unknown) => error as Error,
  );
  return { done, thrown };
}

test('each part is done, even if an earlier one fails', async () => {
  expect(await run({ one: null, two: null })).toEqual({ done: ['one', 'two'], thrown: null });
  const failed = named('Refused');
  expect(await run({ one: failed, two: null })).toEqual({ done: ['two'], thrown: failed });
});

test('of several failures only the names are reported, and no message', async () => {
  const { done, thrown } = await run({ one: named('Refused'), two: null, three: named('Broken') });
  expect([done, thrown?.name, thrown?.message]).toEqual([['two'], 'PartsFailed: one Refused, three Broken', '']);
});

test('a conflict with another writer does not hide a real failure, and alone it is reported as a conflict', async () => {
  expect((await run({ one: contention, two: named('Refused') })).thrown?.name).toBe('Refused');
  expect(isContention((await run({ one: contention, two: contention })).thrown)).toBe(true);
});
