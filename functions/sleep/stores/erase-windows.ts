import { commit } from '../../../lib/runtime/commit.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { remove } from '../../../lib/runtime/rows.ts';
import { runKey } from '../../window-runs/exports.ts';
import type { SleepWindowRuns, SleepWindows } from '../../window-runs/tables.ts';

/**
 * A person's windows, each with the row of its run in one transaction: only the window leads to that row.
 */
export const eraseSleepWindows: Eraser<{
  readonly SleepWindows: SleepWindows<'query' | 'remove'>;
  readonly SleepWindowRuns: SleepWindowRuns<'remove'>;
}> = async ({ tables }, { userId }) => {
  const { SleepWindows, SleepWindowRuns } = tables;
  const query = inPartition({ userId });
  for await (const row of queryEach<{ number: string; startedOn?: string }>(SleepWindows, query)) {
    const { startedOn, number } = row;
    const run = startedOn === undefined ? [] : [runKey(userId, startedOn)];
    const items = [...run.map((key) => remove(SleepWindowRuns, key)), remove(SleepWindows, { userId, number })];
    await retryOnContention(async () => (await commit(items)) || contended);
  }
};
