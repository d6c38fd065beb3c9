import { expect, test } from 'vitest';
import { randomCalls } from './random-calls.ts';
import { answersTo } from './rows-same.ts';

test('the explorer’s tables answer as the stage’s DynamoDB does, errors and reasons included', async () => {
  const { answers, explorer, stage } = await answersTo(randomCalls('rows', 400));
  for (const { call, explorer: one, stage: other } of answers) expect(one, JSON.stringify(call)).toEqual(other);
  expect(explorer).toEqual(stage);
  // Answers of many kinds are among them.
  const codes = new Set(answers.map(({ stage: answer }) => (answer as { error?: string }).error ?? 'done'));
  for (const code of [
    'ConditionalCheckFailedException',
    'TransactionCanceledException',
    'ValidationException',
    'done',
  ]) {
    expect(codes).toContain(code);
  }
});
