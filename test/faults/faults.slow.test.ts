import { afterAll, beforeAll, describe, test } from 'vitest';
import { hangs, isQuick, ownFaults, sharedFaults, sharedHangs } from './matrix.ts';
import { openStage, type Stage } from './stage.ts';
import { survive } from './survive.ts';

/** The rest of the matrix: what waits between two attempts, and what is never answered at all. */

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const isSlow = (each: Parameters<typeof isQuick>[0]) => !isQuick(each);
// A time-out more than the plan has, once, is a busy machine; a case that fails twice is a finding.
const again = { retry: 1 };

describe.concurrent('one user meets it', again, () => {
  test.each([...ownFaults.filter(isSlow), ...hangs])('$code: $name', (each) => survive(stage, each));
});

describe('everybody meets it', again, () => {
  test.each([...sharedFaults.filter(isSlow), ...sharedHangs])('$code: $name', (each) => survive(stage, each));
});
