import { afterAll, beforeAll, describe, test } from 'vitest';
import { hangs, isQuick, ownFaults, sharedFaults, sharedHangs } from './matrix.ts';
import { openStage, type Stage } from './stage.ts';
import { survive } from './survive.ts';

/** The rest of the matrix: what waits between two attempts, and what is never answered at all. */

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ ofRoutes: true });
});
afterAll(() => stage.close());

const isSlow = (each: Parameters<typeof isQuick>[0]) => !isQuick(each);
describe.concurrent('one user meets it', () => {
  test.each([...ownFaults.filter(isSlow), ...hangs])('$code: $name', (each) => survive(stage, each));
});

describe('everybody meets it', () => {
  test.each([...sharedFaults.filter(isSlow), ...sharedHangs])('$code: $name', (each) => survive(stage, each));
});
