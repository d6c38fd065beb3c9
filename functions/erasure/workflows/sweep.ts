import { isContention } from '../../../lib/runtime/failure.ts';
import { describeError, hashOfUser, type Line } from '../../../lib/runtime/log.ts';
import type { Step } from '../rules/due.ts';

/** A run over all due steps. If the step of one user fails, the others are still taken. */

export type Sweep = {
  readonly step: (userId: string) => Promise<Step | null>;
  readonly log: (line: Line) => void;
  readonly remainingMs: () => number;
};

/** How long before the time-out the last step may begin. The next run finishes what this step does not. */
const enoughMs = 20_000;

/** The alarm counts this error, and the run is tried again. */
class StepsFailed extends Error {
  override readonly name = 'StepsFailed';
}

/**
 * @returns how many steps were taken, and how many are `left` for the next run because they met another run
 * @throws StepsFailed at the end if a step failed, or if the time was over before the end: the next run begins at the same rows, so rows without a step to take could keep it from the others for ever
 */
export async function sweep(due: AsyncIterable<string>, { step, log, remainingMs }: Sweep) {
  const figures = { settle: 0, witness: 0, close: 0, erase: 0, release: 0, left: 0, failed: 0, complete: true };
  for await (const userId of due) {
    if (remainingMs() < enoughMs) {
      figures.complete = false;
      break;
    }
    try {
      const taken = await step(userId);
      if (taken) figures[taken] += 1;
    } catch (error) {
      if (isContention(error)) {
        figures.left += 1;
        continue;
      }
      figures.failed += 1;
      const user = hashOfUser(userId);
      log({ level: 'ERROR', message: 'step of an erasure failed', user, error: describeError(error) });
    }
  }
  if (figures.failed > 0 || !figures.complete) {
    log({ level: 'ERROR', message: 'erasures are left', ...figures });
    throw new StepsFailed();
  }
  return figures;
}
