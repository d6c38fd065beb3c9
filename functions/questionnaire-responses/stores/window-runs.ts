import type { Run } from '../../questionnaires/rules.ts';
import { dropRun, readRunsOf, readWindowRun } from '../../window-runs/exports.ts';
import type { ListedRun, SleepWindowRuns, SleepWindows } from '../../window-runs/tables.ts';

/** Reads the patients' runs of sleep windows from the domain that has them. */

export type RunStore = {
  /** The last run of a user; null if no window was ever released. */
  readonly of: (userId: string) => Promise<Run | null>;
  /** Those that began in a month, beginning after a given one. */
  readonly startedIn: (month: string, after: string | null) => AsyncIterable<ListedRun>;
  /** Takes a run that is over for good from the list. */
  readonly drop: (run: Pick<Run, 'userId' | 'startedOn'>) => Promise<void>;
};

export function runStore(tables: {
  readonly SleepWindows: SleepWindows<'query'>;
  readonly SleepWindowRuns: SleepWindowRuns<'query' | 'removeRow'>;
}): RunStore {
  return {
    of: (userId) => readWindowRun(tables.SleepWindows, userId),
    startedIn: (month, after) => readRunsOf(tables.SleepWindowRuns, { month, after }),
    drop: (run) => dropRun(tables.SleepWindowRuns, run),
  };
}
