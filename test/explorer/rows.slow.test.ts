import { expect, test } from 'vitest';
import { randomCalls } from './random-calls.ts';
import { answersTo } from './rows-same.ts';

test('ten thousand calls have the same answers from the explorer’s tables and the stage’s DynamoDB', async () => {
  const { answers, explorer, stage } = await answersTo(randomCalls('many rows', 10_000));
  const different = answers.filter(({ explorer: one, stage: other }) => !isSame(one, other));
  expect(different).toEqual([]);
  expect(explorer).toEqual(stage);
}, 300_000);

function isSame(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}
