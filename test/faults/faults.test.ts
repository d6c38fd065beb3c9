import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isQuick, matrix, ownFaults, sharedFaults } from './matrix.ts';
import { openStage, type Stage } from './stage.ts';
import { survive } from './survive.ts';

/** What is soon over of the matrix, on one stage; the rest is in faults.slow.test.ts. */

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

// A time-out more than the plan has, once, is a busy machine; a case that fails twice is a finding.
const again = { retry: 1 };

// Each user has their own fault, and meets nobody else's.
describe.concurrent('one user meets it', again, () => {
  test.each(ownFaults.filter(isQuick))('$code: $name', (each) => survive(stage, each));
});

describe('everybody meets it', again, () => {
  test.each(sharedFaults.filter(isQuick))('$code: $name', (each) => survive(stage, each));
});

test('each case has a name of its own', () => {
  expect(new Set(matrix.map(({ name }) => name)).size).toBe(matrix.length);
});
