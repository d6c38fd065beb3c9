import { isContention } from '../../../lib/runtime/failure.ts';
import { describeError, hashOfUser, type Line } from '../../../lib/runtime/log.ts';
import type { Step } from '../rules/due.ts';

/** A run over all that are due, each for itself: one user's failure is not another's. */

export type Sweep = {
  readonly step: (userId: string) => Promise<Step | null>;
  readonly log: (line: Line) => void;
  readonly remainingMs: () => number;
};

/** A user's last step may still be begun; what it does not finish the next run does. */
const enoughMs = 20_000;

/** Lambda's alarm counts it, and the run is tried again. */
class StepsFailed extends Error {
  override readonly name = 'StepsFailed';
}

/**
 * @returns how many steps were taken, how many met another run and are `left` for the next, and whether time was up before
 * the end
 * @throws StepsFailed, after all others, where one failed
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
  if (figures.failed > 0) {
    log({ level: 'ERROR', message: 'erasures are left', ...figures });
    throw new StepsFailed();
  }
  return figures;
}
