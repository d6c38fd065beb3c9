import { afterAll, beforeAll, describe, test } from 'vitest';
import { hangs, isQuick, ownFaults } from './matrix.ts';
import { openStage, type Stage } from './stage.ts';
import { survive } from './survive.ts';

/** The rest of the matrix, for one user at a time: what waits between two attempts, and what is never answered at all. */

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ ofRoutes: true });
});
afterAll(() => stage.close());

describe.concurrent('one user meets it', () => {
  test.each([...ownFaults.filter((each) => !isQuick(each)), ...hangs])('$code: $name', (each) => survive(stage, each));
});
