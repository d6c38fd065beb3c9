import { afterAll, beforeAll, describe, test } from 'vitest';
import { isQuick, sharedFaults, sharedHangs } from './matrix.ts';
import { openStage, type Stage } from './stage.ts';
import { survive } from './survive.ts';

/** The rest of the matrix, for everybody: what waits between two attempts, and what is never answered at all. */

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ ofRoutes: true });
});
afterAll(() => stage.close());

describe('everybody meets it', () => {
  test.each([...sharedFaults.filter((each) => !isQuick(each)), ...sharedHangs])('$code: $name', (each) =>
    survive(stage, each),
  );
});
