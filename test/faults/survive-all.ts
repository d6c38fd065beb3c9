import { afterAll, beforeAll, describe, test } from 'vitest';
import type { StageOptions } from '../../bin/stage.ts';
import type { FaultCase } from './case.ts';
import { openStage, type Stage } from './stage.ts';
import { survive } from './survive.ts';

/** Cases of the matrix on a stage of their own. Each user has their own fault, and meets nobody else's. */
export function surviveAll(
  what: string,
  cases: readonly FaultCase[],
  { isConcurrent = false, ...options }: { readonly isConcurrent?: boolean } & Pick<StageOptions, 'patience'> = {},
): void {
  describe(what, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await openStage({ ofRoutes: true, ...options });
    });
    afterAll(() => stage.close());

    (isConcurrent ? test.concurrent : test).each(cases)('$code: $name', (each) => survive(stage, each));
  });
}
