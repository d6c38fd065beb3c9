import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { OverviewEntries } from '../tables.ts';
import { hasLeft, type LeftTables, readCounted } from './figure-rows.ts';

type Tables = LeftTables & { readonly OverviewEntries: OverviewEntries<'get' | 'query'> };

/** What is counted of a person, out of the figures. The streams do the same, as the rows go. */
export const eraseEntries: Eraser<Tables> = async ({ tables }, { userId }) => {
  const query = inPartition({ userId });
  for await (const { entry } of queryEach(tables.OverviewEntries, query)) {
    await retryOnContention(async () => {
      const before = await readCounted(tables.OverviewEntries, userId, entry);
      return !before || (await hasLeft(tables, { userId, entry }, before)) || contended;
    });
  }
};
